//! Steel: a Scheme on a bytecode machine.

use steel::SteelVal;
use steel::steel_vm::engine::Engine;
use steel::steel_vm::register_fn::RegisterFn;

use crate::{Rival, Row};

pub struct Steel {
    engine: Engine,
}

impl Steel {
    pub fn new() -> Steel {
        let mut engine = Engine::new();
        engine.register_fn("host", |n: isize| n);
        Steel { engine }
    }
}

impl Rival for Steel {
    fn name(&self) -> &'static str {
        "steel"
    }

    fn source(&self, row: Row) -> &'static str {
        match row {
            Row::Tiny => "(+ 1 2)",
            Row::Sequence => {
                "(foldl + 0 (map (lambda (x) (* x x)) (filter odd? (range 0 40))))"
            }
            Row::Calls => {
                "(define (fib n) (if (< n 2) n (+ (fib (- n 1)) (fib (- n 2))))) (fib 22)"
            }
            Row::Loop => {
                "(let loop ((i 0) (sum 0)) (if (< i 1000000) (loop (+ i 1) (+ sum i)) sum))"
            }
            Row::Strings => {
                "(string-length (string-join (map (lambda (i) (string-append \"item-\" (number->string i))) (range 0 10000)) \",\"))"
            }
            Row::Host => "(foldl + 0 (map (lambda (i) (host i)) (range 0 1000)))",
            Row::Records => {
                "(define rows (hash-ref (string->jsexpr text) 'rows))
                 (define groups
                   (foldl (lambda (row groups)
                            (if (equal? (hash-ref row 'status) \"open\")
                                (let ((customer (hash-ref row 'customer)))
                                  (hash-insert groups customer
                                    (cons row (if (hash-contains? groups customer) (hash-ref groups customer) '()))))
                                groups))
                          (hash) rows))
                 (define out
                   (map (lambda (customer)
                          (let ((rows (hash-ref groups customer)))
                            (hash 'customer customer
                                  'total (foldl + 0 (map (lambda (row) (hash-ref row 'total)) rows))
                                  'orders (length rows))))
                        (hash-keys->list groups)))
                 (value->jsexpr-string (sort out (lambda (a b) (> (hash-ref a 'total) (hash-ref b 'total)))))"
            }
        }
    }

    fn run(&mut self, row: Row, source: &str, records: &str) -> String {
        if row == Row::Records {
            self.engine.register_value("text", SteelVal::StringV(records.to_owned().into()));
        }
        let values = self.engine.run(source.to_owned()).expect("runs");
        match values.last() {
            Some(SteelVal::StringV(text)) => text.to_string(),
            Some(value) => value.to_string(),
            None => String::new(),
        }
    }
}
