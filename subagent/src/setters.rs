//! Methods that set one field each.

/// Declares methods of a type that set one field each. `=> Some` is for an optional field.
macro_rules! setters {
    ($type:ident: $($(#[$about:meta])+ $setter:ident($field:ident: $of:ty) $(=> $some:ident)?;)+) => {
        impl $type {$(
            $(#[$about])+
            #[must_use]
            pub fn $setter(mut self, $field: $of) -> $type {
                self.$field = $($some)?($field);
                self
            }
        )+}
    };
}

pub(crate) use setters;
