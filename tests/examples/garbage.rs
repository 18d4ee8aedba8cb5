//! Makes a hundred million allocations. A loop that drops them passes. A loop that keeps them is
//! stopped by the memory limit, which counts reachable bytes, not allocated ones.
//!
//! `cargo run --release -p ptc-tests --example garbage`

#![expect(clippy::print_stdout, reason = "a tool for people")]

use ptc_lisp::Limits;
use ptc_tests::World;

fn main() {
    let programs = [
        ("(loop [i 0] (if (< i 100000000) (do [i i] (recur (inc i))) i))", "=> 100000000"),
        (
            "(loop [i 0 all []] (if (< i 100000000) (recur (inc i) (conj all [i i])) (count all)))",
            "! memory-limit the program keeps more than its limit of 67108864 bytes of memory",
        ),
    ];
    let limits = Limits { fuel: 1_000_000_000, ..Limits::default() };
    for (program, expected) in programs {
        let mut world = World::without_tools("{}", limits.clone());
        assert_eq!(world.run(program).shown, expected, "{program}");
        println!("{program}\n{expected}");
        // The session is still sound.
        assert_eq!(world.run("(+ 1 2)").shown, "=> 3");
    }
}
