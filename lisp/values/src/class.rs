//! Classes of the JVM: the names by which programs test values and catch exceptions.
//!
//! A class has only a name and the classes above it. It never has fields or methods, and programs
//! cannot make classes.

/// A class or an interface of the JVM.
#[derive(Debug)]
pub struct Class {
    /// Its name without the package.
    pub name: &'static str,
    /// Its name with the package.
    pub full_name: &'static str,
    /// The names of the direct superclasses and interfaces, without `Object`.
    above: &'static [&'static str],
}

macro_rules! classes {
    ($($package:literal { $($name:literal: [$($above:literal),*];)+ })+) => {
        static CLASSES: &[Class] =
            &[$($(Class {
                name: $name,
                full_name: concat!($package, ".", $name),
                above: &[$($above),*],
            }),+),+];
    };
}

classes! {
    "java.lang" {
        "Object": [];
        "Class": [];
        "Number": [];
        "CharSequence": [];
        "Comparable": [];
        "Iterable": [];
        "Runnable": [];
        "Boolean": ["Comparable"];
        "Byte": ["Number", "Comparable"];
        "Character": ["Comparable"];
        "Double": ["Number", "Comparable"];
        "Float": ["Number", "Comparable"];
        "Integer": ["Number", "Comparable"];
        "Long": ["Number", "Comparable"];
        "Short": ["Number", "Comparable"];
        "String": ["CharSequence", "Comparable"];
        "Throwable": [];
        "Exception": ["Throwable"];
        "Error": ["Throwable"];
        "AssertionError": ["Error"];
        "VirtualMachineError": ["Error"];
        "OutOfMemoryError": ["VirtualMachineError"];
        "StackOverflowError": ["VirtualMachineError"];
        "InterruptedException": ["Exception"];
        "RuntimeException": ["Exception"];
        "ArithmeticException": ["RuntimeException"];
        "ClassCastException": ["RuntimeException"];
        "IllegalArgumentException": ["RuntimeException"];
        "IllegalStateException": ["RuntimeException"];
        "IndexOutOfBoundsException": ["RuntimeException"];
        "NullPointerException": ["RuntimeException"];
        "SecurityException": ["RuntimeException"];
        "UnsupportedOperationException": ["RuntimeException"];
        "ArrayIndexOutOfBoundsException": ["IndexOutOfBoundsException"];
        "StringIndexOutOfBoundsException": ["IndexOutOfBoundsException"];
        "NumberFormatException": ["IllegalArgumentException"];
    }
    "java.math" {
        "BigDecimal": ["Number", "Comparable"];
        "BigInteger": ["Number", "Comparable"];
    }
    "java.io" {
        "IOException": ["Exception"];
        "FileNotFoundException": ["IOException"];
        "UncheckedIOException": ["RuntimeException"];
    }
    "java.util" {
        "Collection": ["Iterable"];
        "Comparator": [];
        "Date": ["Comparable"];
        "List": ["Collection"];
        "Map": [];
        "Map$Entry": [];
        "Set": ["Collection"];
        "UUID": ["Comparable"];
        "ConcurrentModificationException": ["RuntimeException"];
        "NoSuchElementException": ["RuntimeException"];
        "IllegalFormatException": ["IllegalArgumentException"];
        "IllegalFormatConversionException": ["IllegalFormatException"];
        "MissingFormatArgumentException": ["IllegalFormatException"];
        "UnknownFormatConversionException": ["IllegalFormatException"];
    }
    "java.util.concurrent" {
        "Callable": [];
        "ExecutionException": ["Exception"];
        "TimeoutException": ["Exception"];
    }
    "java.util.regex" {
        "Matcher": [];
        "Pattern": [];
        "PatternSyntaxException": ["IllegalArgumentException"];
    }
    "java.time" {
        "DayOfWeek": ["TemporalAccessor", "Comparable"];
        "Duration": ["TemporalAmount", "Comparable"];
        "Instant": ["Temporal", "Comparable"];
        "LocalDate": ["Temporal", "Comparable"];
        "LocalDateTime": ["Temporal", "Comparable"];
        "LocalTime": ["Temporal", "Comparable"];
        "Month": ["TemporalAccessor", "Comparable"];
        "OffsetDateTime": ["Temporal", "Comparable"];
        "Period": ["TemporalAmount"];
        "YearMonth": ["Temporal", "Comparable"];
        "ZoneId": [];
        "ZoneOffset": ["ZoneId", "Comparable"];
        "ZonedDateTime": ["Temporal", "Comparable"];
        "DateTimeException": ["RuntimeException"];
    }
    "java.time.zone" {
        "ZoneRulesException": ["DateTimeException"];
    }
    "java.time.format" {
        "DateTimeFormatter": [];
        "DateTimeParseException": ["DateTimeException"];
    }
    "java.time.temporal" {
        "ChronoUnit": ["Comparable"];
        "Temporal": ["TemporalAccessor"];
        "TemporalAccessor": [];
        "TemporalAmount": [];
    }
    "clojure.lang" {
        "AFn": ["IFn"];
        "AFunction": ["AFn", "Fn", "Comparator"];
        "APersistentMap": ["AFn", "IPersistentMap", "Map"];
        "APersistentSet": ["AFn", "IPersistentSet", "Set"];
        "APersistentVector": ["AFn", "IPersistentVector", "List", "Comparable"];
        "ASeq": ["ISeq", "Sequential", "List"];
        "Associative": ["IPersistentCollection", "ILookup"];
        "Atom": ["IAtom", "IRef"];
        "BigInt": ["Number"];
        "Cons": ["ASeq"];
        "Counted": [];
        "Delay": ["IDeref", "IPending"];
        "Fn": [];
        "IAtom": [];
        "IDeref": [];
        "IExceptionInfo": [];
        "IFn": ["Callable", "Runnable"];
        "ILookup": [];
        "IMapEntry": ["Map$Entry"];
        "IMeta": [];
        "IObj": ["IMeta"];
        "IPending": [];
        "IPersistentCollection": ["Seqable"];
        "IPersistentList": ["Sequential", "IPersistentStack"];
        "IPersistentMap": ["Iterable", "Associative", "Counted"];
        "IPersistentSet": ["IPersistentCollection", "Counted"];
        "IPersistentStack": ["IPersistentCollection"];
        "IPersistentVector": ["Associative", "Sequential", "IPersistentStack", "Reversible", "Indexed"];
        "IRef": ["IDeref"];
        "ISeq": ["IPersistentCollection"];
        "Indexed": ["Counted"];
        "Keyword": ["IFn", "Comparable", "Named"];
        "LazySeq": ["ISeq", "Sequential", "List", "IPending", "IObj"];
        "MapEntry": ["APersistentVector", "IMapEntry"];
        "Named": [];
        "PersistentArrayMap": ["APersistentMap", "IObj"];
        "PersistentHashMap": ["APersistentMap", "IObj"];
        "PersistentHashSet": ["APersistentSet", "IObj"];
        "PersistentList": ["ASeq", "IPersistentList", "Counted", "IObj"];
        "PersistentTreeMap": ["APersistentMap", "IObj", "Reversible", "Sorted"];
        "PersistentTreeSet": ["APersistentSet", "IObj", "Reversible", "Sorted"];
        "PersistentQueue": ["IPersistentList", "Collection", "Counted", "IObj"];
        "PersistentVector": ["APersistentVector", "IObj"];
        "Ratio": ["Number", "Comparable"];
        "Reduced": ["IDeref"];
        "Reversible": [];
        "Seqable": [];
        "Sequential": [];
        "Sorted": [];
        "Symbol": ["AFn", "IObj", "Comparable", "Named"];
        "Var": ["IFn", "IRef"];
        "Volatile": ["IDeref"];
        "ArityException": ["IllegalArgumentException"];
        "ExceptionInfo": ["RuntimeException", "IExceptionInfo"];
    }
}

impl Class {
    /// Returns the classes that `catch` knows.
    pub fn exceptions() -> impl Iterator<Item = &'static Class> {
        CLASSES.iter().filter(|class| class.is_a("Throwable"))
    }

    /// Returns the class of a name, with or without its package.
    pub fn find(name: &str) -> Option<&'static Class> {
        CLASSES.iter().find(|class| class.name == name || class.full_name == name)
    }

    /// Returns whether values of this class are instances of the named class too.
    pub fn is_a(&self, wanted: &str) -> bool {
        let mut work = vec![self.name];
        while let Some(name) = work.pop() {
            if name == wanted {
                return true;
            }
            work.extend(Class::find(name).map(|class| class.above).unwrap_or_default());
        }
        wanted == "Object"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_and_the_classes_above_exist() {
        for class in CLASSES {
            assert_eq!(CLASSES.iter().filter(|other| other.name == class.name).count(), 1);
            for name in class.above {
                assert!(Class::find(name).is_some(), "{name}");
            }
        }
    }

    #[test]
    fn a_class_is_an_instance_of_the_classes_above_it() {
        let is_a = |name, wanted| Class::find(name).unwrap().is_a(wanted);
        assert!(is_a("java.lang.Long", "Number"));
        assert!(is_a("StackOverflowError", "Throwable"));
        assert!(is_a("PersistentVector", "Seqable"));
        assert!(is_a("Keyword", "Object"));
        assert!(!is_a("Exception", "RuntimeException"));
        assert!(Class::find("java.util.Long").is_none());
    }
}
