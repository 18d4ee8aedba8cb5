//! Tests of extracting the program from replies as models write them.

use Note::{Mended, OtherBlocks, Prose, Thinking, Unfenced, Unlabelled};
use ptc_prompt::{ExtractError as E, Extracted, Note, extract};

/// A description of the reply, the reply, the program or the refusal, and the notes.
type Row<'a> = (&'a str, &'a str, Result<&'a str, E>, &'a [Note]);

fn check(rows: &[Row<'_>]) {
    for (shape, reply, program, notes) in rows {
        let expected = program
            .clone()
            .map(|program| Extracted { program: program.to_owned(), notes: notes.to_vec() });
        assert_eq!(extract(reply), expected, "{shape}:\n{reply}");
    }
}

fn several(count: usize) -> Result<&'static str, E> {
    Err(E::SeveralPrograms { count })
}

fn other(language: &str) -> Result<&'static str, E> {
    Err(E::OtherLanguage { language: language.to_owned() })
}

#[test]
fn one_block() {
    check(&[
        ("as asked", "```clojure\n(return 1)\n```", Ok("(return 1)"), &[]),
        ("lisp", "```lisp\n(return 1)\n```\n", Ok("(return 1)"), &[]),
        ("clj", "```clj\n(return 1)\n```", Ok("(return 1)"), &[]),
        ("the language's own name", "```ptc-lisp\n(return 1)\n```", Ok("(return 1)"), &[]),
        ("capitals", "```Clojure\n(return 1)\n```", Ok("(return 1)"), &[]),
        ("space before the name", "``` clojure\n(return 1)\n```", Ok("(return 1)"), &[]),
        ("attributes", "```{.clojure .numberLines}\n(return 1)\n```", Ok("(return 1)"), &[]),
        ("a title", "```clojure title=\"a.clj\"\n(return 1)\n```", Ok("(return 1)"), &[]),
        ("tildes", "~~~clojure\n(return 1)\n~~~", Ok("(return 1)"), &[]),
        (
            "four backticks",
            "````clojure\n(return \"\n```\n\")\n````",
            Ok("(return \"\n```\n\")"),
            &[],
        ),
        ("closed by a longer fence", "```clojure\n(f)\n`````", Ok("(f)"), &[]),
        ("indented", "   ```clojure\n   (let [x 1]\n     x)\n   ```", Ok("(let [x 1]\n  x)"), &[]),
        ("tab", "\t```clojure\n\t(f)\n\t```", Ok("(f)"), &[]),
        ("less indented inside", "    ```clojure\n(f)\n    ```", Ok("(f)"), &[]),
        ("CRLF", "```clojure\r\n(do\r\n  1)\r\n```\r\n", Ok("(do\n  1)"), &[]),
        ("blank lines", "\n\n```clojure\n\n\n  (f)\n\n```\n\n", Ok("  (f)"), &[]),
        ("BOM", "\u{FEFF}```clojure\n(f)\n```", Ok("(f)"), &[]),
        ("several forms", "```clojure\n(def x 1)\n\nx\n```", Ok("(def x 1)\n\nx"), &[]),
        ("not a list", "```clojure\nctx/total\n```", Ok("ctx/total"), &[]),
        ("map", "```clojure\n{:a 1}\n```", Ok("{:a 1}"), &[]),
        ("comment first", "```clojure\n; sum\n(f)\n```", Ok("; sum\n(f)"), &[]),
        ("on one line", "```clojure (return 42)```", Ok("(return 42)"), &[]),
        ("begins on the fence's line", "```clojure (do\n  1)\n```", Ok("(do\n  1)"), &[]),
        ("map on the fence's line", "```clojure {:a 1}\n```", Ok("{:a 1}"), &[]),
        ("closed on the last line", "```clojure\n(do\n  (f))```", Ok("(do\n  (f))"), &[]),
        ("syntax quote", "```clojure\n`(a ~b)\n```", Ok("`(a ~b)"), &[]),
        ("stray fence after it", "```clojure\n(f)\n```\n```", Ok("(f)"), &[]),
        ("end mark", "```clojure\n(f)\n```<|im_end|>", Ok("(f)"), &[]),
        ("unbalanced: not ours to judge", "```clojure\n(f (g)\n```", Ok("(f (g)"), &[]),
        ("unicode", "```clojure\n(return \"Łódź 🦀\")\n```", Ok("(return \"Łódź 🦀\")"), &[]),
    ]);
}

#[test]
fn fences_in_strings() {
    check(&[
        (
            "Markdown in a string",
            "```clojure\n(return \"A:\n```\ncode\n```\n\")\n```",
            Ok("(return \"A:\n```\ncode\n```\n\")"),
            &[],
        ),
        (
            "a program in a string",
            "```clojure\n(return \"\n```clojure\n(f)\n```\n\")\n```",
            Ok("(return \"\n```clojure\n(f)\n```\n\")"),
            &[],
        ),
        (
            "inline in a string",
            "```clojure\n(f \"a ```b``` c\")\n```",
            Ok("(f \"a ```b``` c\")"),
            &[],
        ),
        ("a string never closed", "```clojure\n(f \"a)\n```\nDone.", Ok("(f \"a)"), &[Prose]),
        (
            "a string never closed, then quotes",
            "```clojure\n(f \"a)\n```\nSee \"x\", \"y\".\n",
            Ok("(f \"a)"),
            &[Prose],
        ),
        (
            "a string never closed, then a program",
            "```clojure\n(f \"a)\n```\n```clojure\n(g)\n```",
            several(2),
            &[],
        ),
        ("character literal", "```clojure\n(f \\\")\n```\nHi.", Ok("(f \\\")"), &[Prose]),
        (
            "quote in a comment",
            "```clojure\n; don\"t\n(f)\n```\nHi.",
            Ok("; don\"t\n(f)"),
            &[Prose],
        ),
        ("escaped quote", "```clojure\n(f \"\\\"\n```\n\")\n```", Ok("(f \"\\\"\n```\n\")"), &[]),
    ]);
}

/// P6: prose around the one block is a note.
#[test]
fn prose_and_other_blocks() {
    check(&[
        ("before", "Here you go:\n\n```clojure\n(f)\n```", Ok("(f)"), &[Prose]),
        ("after", "```clojure\n(f)\n```\nThis calls `f`.", Ok("(f)"), &[Prose]),
        ("on the fence's line", "Program: ```clojure\n(f)\n```", Ok("(f)"), &[Prose]),
        ("list item", "1. Call f\n   ```clojure\n   (f)\n   ```", Ok("(f)"), &[Prose]),
        ("behind the closing fence", "```clojure\n(f)``` as asked", Ok("(f)"), &[Prose]),
        ("parentheses", "(I hope this helps)\n```clojure\n(f)\n```", Ok("(f)"), &[Prose]),
        (
            "JSON beside it",
            "```clojure\n(f)\n```\nIt gives\n```json\n{\"a\": 1}\n```",
            Ok("(f)"),
            &[OtherBlocks(1), Prose],
        ),
        (
            "unlabelled output beside it",
            "```clojure\n(f)\n```\n```\n[1 2]\n```",
            Ok("(f)"),
            &[OtherBlocks(1)],
        ),
        (
            "JSON cut off after it",
            "```clojure\n(f)\n```\n```json\n{\"a\"",
            Ok("(f)"),
            &[OtherBlocks(1)],
        ),
        ("wrapped in Markdown", "```markdown\n```clojure\n(f)\n```\n```", Ok("(f)"), &[]),
        ("wrapped, longer", "````markdown\nSo:\n```clojure\n(f)\n```\n````", Ok("(f)"), &[Prose]),
        ("an empty block first", "```clojure\n```\n```clojure\n(f)\n```", Ok("(f)"), &[]),
        ("stray fence before it", "```\n```clojure\n(f)\n```", Ok("(f)"), &[]),
        ("JSON never closed", "```json\n{}\n```clojure\n(f)\n```", Ok("(f)"), &[OtherBlocks(1)]),
    ]);
}

#[test]
fn unlabelled_and_unfenced() {
    check(&[
        ("no language", "```\n(return 1)\n```", Ok("(return 1)"), &[Unlabelled]),
        ("no language, one line", "```(return 1)```", Ok("(return 1)"), &[Unlabelled]),
        ("scheme", "```scheme\n(f)\n```", Ok("(f)"), &[Unlabelled]),
        ("edn", "```edn\n{:a 1}\n```", Ok("{:a 1}"), &[Unlabelled]),
        ("vector", "```\n[1 2]\n```", Ok("[1 2]"), &[Unlabelled]),
        ("set", "```\n#{1 2}\n```", Ok("#{1 2}"), &[Unlabelled]),
        ("with prose", "So:\n```\n(f)\n```\n", Ok("(f)"), &[Unlabelled, Prose]),
        ("output below", "```\n(f)\n```\n\n```\n1\n```", Ok("(f)"), &[Unlabelled, OtherBlocks(1)]),
        ("two", "```\n(f)\n```\n```\n(g)\n```", several(2), &[]),
        ("JSON without a name", "```\n{\"a\": 1}\n```", Err(E::NoProgram), &[]),
        ("unfenced", "(return 1)", Ok("(return 1)"), &[Unfenced]),
        ("unfenced, space around", "\n  (return 1)\n\n", Ok("(return 1)"), &[Unfenced]),
        ("unfenced, several forms", "(def x 1)\nx", Ok("(def x 1)\nx"), &[Unfenced]),
        ("unfenced, comment first", "; sum\n(f)", Ok("; sum\n(f)"), &[Unfenced]),
        ("unfenced, unbalanced", "(f (g 1)", Ok("(f (g 1)"), &[Unfenced]),
        ("unfenced with an end mark", "(f)</s>", Ok("(f)"), &[Unfenced]),
        (
            "unfenced, fence in a string",
            "(f \"```clojure\nx\n```\")",
            Ok("(f \"```clojure\nx\n```\")"),
            &[Unfenced],
        ),
        ("opening fence swallowed", "(f)\n```", Ok("(f)"), &[Unfenced]),
        ("opening fence swallowed, then prose", "(f)\n```\nDone.", Ok("(f)"), &[Unfenced]),
        ("single backticks", "`(return 1)`", Ok("(return 1)"), &[Unfenced]),
        ("unfenced, then a sentence", "(f)\n\nThis calls f once.", Err(E::NoProgram), &[]),
    ]);
}

#[test]
fn thinking() {
    check(&[
        ("before", "<think>Hm.</think>\n```clojure\n(f)\n```", Ok("(f)"), &[Thinking]),
        (
            "with a draft",
            "<think>\n```clojure\n(draft)\n```\n</think>\n\n```clojure\n(f)\n```",
            Ok("(f)"),
            &[Thinking],
        ),
        (
            "with a draft cut short",
            "<think>\n```clojure\n(draft\nno.\n</think>\n```clojure\n(f)\n```",
            Ok("(f)"),
            &[Thinking],
        ),
        ("same line", "<think>x</think>```clojure\n(f)\n```", Ok("(f)"), &[Thinking]),
        ("unfenced after it", "<think>x</think>(f)", Ok("(f)"), &[Thinking, Unfenced]),
        ("another tag", "<Thinking>\nx\n</Thinking>\n```clojure\n(f)\n```", Ok("(f)"), &[Thinking]),
        (
            "opening swallowed",
            "Let me see.\n</think>\n```clojure\n(f)\n```",
            Ok("(f)"),
            &[Thinking],
        ),
        (
            "opening swallowed, with a draft",
            "Try\n```clojure\n(draft)\n```\nNo.\n</think>\n```clojure\n(f)\n```",
            Ok("(f)"),
            &[Thinking],
        ),
        (
            "twice",
            "<think>a</think>\n```clojure\n(f)\n```\n<think>b</think>",
            Ok("(f)"),
            &[Thinking],
        ),
        ("never closed", "<think>\nFirst I would", Err(E::CutOff), &[]),
        ("never closed, with a draft", "<think>\n```clojure\n(f)\n```", Err(E::CutOff), &[]),
        ("nothing else", "<think>Hm.</think>\n", Err(E::Empty), &[]),
        (
            "a string that speaks of it",
            "```clojure\n(return \"\n<think>x</think>\n\")\n```",
            Ok("(return \"\n<think>x</think>\n\")"),
            &[],
        ),
        ("mentioned", "No <think> tag.\n```clojure\n(f)\n```", Ok("(f)"), &[Prose]),
    ]);
}

#[test]
fn mended() {
    check(&[
        ("curly quotes", "```clojure\n(f “a”)\n```", Ok("(f \"a\")"), &[Mended(2)]),
        (
            "curly quotes in a string",
            "```clojure\n(f \"“a” ‘b’\")\n```",
            Ok("(f \"“a” ‘b’\")"),
            &[],
        ),
        ("apostrophe", "```clojure\n(f ’a)\n```", Ok("(f 'a)"), &[Mended(1)]),
        ("no-break space", "```clojure\n(f\u{A0}1)\n```", Ok("(f 1)"), &[Mended(1)]),
        (
            "no-break space in a string",
            "```clojure\n(f \"1\u{A0}€\")\n```",
            Ok("(f \"1\u{A0}€\")"),
            &[],
        ),
        ("zero width", "```clojure\n(f\u{200B} 1\u{FEFF})\n```", Ok("(f 1)"), &[Mended(2)]),
        (
            "zero width in a string",
            "```clojure\n(f \"a\u{200B}b\")\n```",
            Ok("(f \"a\u{200B}b\")"),
            &[],
        ),
        ("minus sign", "```clojure\n(f −1)\n```", Ok("(f -1)"), &[Mended(1)]),
        ("full-width brackets", "```clojure\n（f 1）\n```", Ok("(f 1)"), &[Mended(2)]),
        ("comment", "```clojure\n; “a”\u{200B}\n(f)\n```", Ok("; “a”\u{200B}\n(f)"), &[]),
        ("character literal", "```clojure\n(f \\“)\n```", Ok("(f \\“)"), &[]),
        (
            "words of any script",
            "```clojure\n(let [größe 1] größe)\n```",
            Ok("(let [größe 1] größe)"),
            &[],
        ),
    ]);
}

/// P6: a reply without a program, and one with two.
#[test]
fn refused() {
    check(&[
        ("nothing", "", Err(E::Empty), &[]),
        ("white space", " \r\n\t\u{200B}", Err(E::Empty), &[]),
        ("an empty block", "```clojure\n```", Err(E::Empty), &[]),
        ("an empty block on one line", "```clojure```", Err(E::Empty), &[]),
        ("only a comment", "```clojure\n; nothing to do\n```", Err(E::Empty), &[]),
        ("prose", "I cannot do that.", Err(E::NoProgram), &[]),
        ("prose, then a program unfenced", "So:\n(return 1)", Err(E::NoProgram), &[]),
        ("JSON", "{\"name\": \"search\"}", Err(E::NoProgram), &[]),
        ("a JSON block", "```json\n{\"a\": 1}\n```", other("json"), &[]),
        ("a Python block", "So:\n```python\nreturn 1\n```", other("python"), &[]),
        ("a block of text", "```text\nThe answer is 1.\n```", other("text"), &[]),
        ("two programs", "```clojure\n(f)\n```\nor\n```lisp\n(g)\n```", several(2), &[]),
        ("the same twice", "```clojure\n(f)\n```\n```clojure\n(f)\n```", several(2), &[]),
        ("three", "```clj\n(f)\n```\n```clj\n(g)\n```\n```clj\n(h)\n```", several(3), &[]),
        ("the first not closed", "```clojure\n(f)\n```clojure\n(g)\n```", several(2), &[]),
        ("a second one cut off", "```clojure\n(f)\n```\n```clojure\n(g", several(2), &[]),
        ("cut off", "```clojure\n(let [x (call \"a\" {:b", Err(E::CutOff), &[]),
        ("cut off, but balanced", "```clojure\n(def x 1)\n", Err(E::CutOff), &[]),
        ("cut off in a string", "```clojure\n(f \"a\n", Err(E::CutOff), &[]),
        ("cut off at the fence", "Here:\n```clojure", Err(E::CutOff), &[]),
        ("cut off without a name", "```\n(f (g", Err(E::CutOff), &[]),
    ]);
}

#[test]
fn wrapped() {
    check(&[
        ("tags around a block", "<answer>\n```clojure\n(f)\n```\n</answer>", Ok("(f)"), &[]),
        ("tags around a program", "<answer>(f)</answer>", Ok("(f)"), &[Unfenced]),
        ("tags with a name of ours", "<program>\n(f)\n</program>\n", Ok("(f)"), &[Unfenced]),
        ("tags with attributes", "<code language=\"clojure\">(f)</code>", Ok("(f)"), &[Unfenced]),
        ("tags in capitals", "<Final_Answer>(f)</Final_Answer>", Ok("(f)"), &[Unfenced]),
        ("other tags", "<b>(f)</b>", Err(E::NoProgram), &[]),
        ("tags around prose", "<answer>It is 1.</answer>", Err(E::NoProgram), &[]),
        ("tags not closed", "<answer>\n```clojure\n(f)\n```", Ok("(f)"), &[Prose]),
        ("quoted", "> ```clojure\n> (f\n>   1)\n> ```", Ok("(f\n  1)"), &[]),
        ("quoted and unfenced", ">(f)", Ok("(f)"), &[Unfenced]),
        ("quoted in part", "> Sum it.\n\n```clojure\n(f)\n```", Ok("(f)"), &[Prose]),
        ("a comparison is no quote", "(f\n> 1)", Ok("(f\n> 1)"), &[Unfenced]),
        ("the fence became a word", "clojure\n(f)", Ok("(f)"), &[Unfenced]),
        ("the fence became another word", "python\n(f)", Err(E::NoProgram), &[]),
        ("the name below the fence", "```\nclojure\n(f)\n```", Ok("(f)"), &[Unlabelled]),
        ("fenced twice", "```clojure\n```clojure\n(f)\n```\n```", Ok("(f)"), &[]),
        ("a longer fence around it", "````\n```clojure\n(f)\n```\n````", Ok("(f)"), &[]),
        ("folded away", "<details>\n\n```clojure\n(f)\n```\n</details>", Ok("(f)"), &[Prose]),
    ]);
}

/// Marks of particular families of models, and of the servers in front of them.
#[test]
fn marks_of_models() {
    check(&[
        (
            "channels",
            "<|channel|>analysis<|message|>Sum.<|end|><|start|>assistant<|channel|>final<|message|>```clojure\n(f)\n```",
            Ok("(f)"),
            &[Thinking, Prose],
        ),
        (
            "channels, with a draft",
            "<|channel|>analysis<|message|>Try\n```clojure\n(draft)\n```\n<|end|>\n```clojure\n(f)\n```",
            Ok("(f)"),
            &[Thinking],
        ),
        (
            "channels swallowed",
            "analysis Sum. assistantfinal```clojure\n(f)\n```",
            Ok("(f)"),
            &[Prose],
        ),
        ("brackets", "[THINK]Hm.[/THINK]\n```clojure\n(f)\n```", Ok("(f)"), &[Thinking]),
        (
            "brackets, with a draft",
            "[THINK]\n```clojure\n(draft)\n```\n[/THINK]```clojure\n(f)\n```",
            Ok("(f)"),
            &[Thinking],
        ),
        ("triangles", "◁think▷Hm.◁/think▷```clojure\n(f)\n```", Ok("(f)"), &[Thinking]),
        (
            "thought and solution",
            "<|begin_of_thought|>Hm.<|end_of_thought|>\n<|begin_of_solution|>\n```clojure\n(f)\n```\n<|end_of_solution|>",
            Ok("(f)"),
            &[Thinking, Prose],
        ),
        ("empty thinking", "<think>\n\n</think>\n\n(f)", Ok("(f)"), &[Thinking, Unfenced]),
        ("an end mark of channels", "```clojure\n(f)\n```<|end|>", Ok("(f)"), &[]),
        ("end of text", "```clojure\n(f)\n```<|endoftext|>", Ok("(f)"), &[]),
        (
            "the next turn begun",
            "```clojure\n(f)\n```<|im_end|>\n<|im_start|>user\n",
            Ok("(f)"),
            &[Prose],
        ),
        ("the next instruction", "```clojure\n(f)\n```[INST] next", Ok("(f)"), &[Prose]),
        ("a sentence mark", "<s>```clojure\n(f)\n```</s>", Ok("(f)"), &[Prose]),
        ("a role", "<|assistant|>\n```clojure\n(f)\n```", Ok("(f)"), &[Prose]),
        ("a role in words", "Assistant: ```clojure\n(f)\n```", Ok("(f)"), &[Prose]),
        (
            "a native tool call",
            "<tool_call>\n{\"name\": \"search\", \"arguments\": {}}\n</tool_call>",
            Err(E::NoProgram),
            &[],
        ),
        (
            "a native tool call in brackets",
            "[TOOL_CALLS][{\"name\":\"run\",\"arguments\":{\"program\":\"(f)\"}}]",
            Err(E::NoProgram),
            &[],
        ),
        ("the program in JSON", "{\"program\": \"(f)\"}", Err(E::NoProgram), &[]),
        (
            "the program in a block of JSON",
            "```json\n{\"program\": \"(f)\"}\n```",
            other("json"),
            &[],
        ),
        (
            "a step of ReAct",
            "Thought: I sum.\nAction: run\nAction Input: (f)",
            Err(E::NoProgram),
            &[],
        ),
    ]);
}

#[test]
fn habits_of_models() {
    check(&[
        ("a title", "**Program**\n\n```clojure\n(f)\n```", Ok("(f)"), &[Prose]),
        (
            "steps",
            "### Step 1\n```clojure\n(def x 1)\n```\n### Step 2\n```clojure\n(return x)\n```",
            several(2),
            &[],
        ),
        ("a note", "```clojure\n(f)\n```\n---\n*Note: once.*", Ok("(f)"), &[Prose]),
        (
            "what it prints",
            "```clojure\n(f)\n```\n\nOutput:\n```\n1\n```\n",
            Ok("(f)"),
            &[OtherBlocks(1), Prose],
        ),
        (
            "how to run it",
            "```clojure\n(f)\n```\n```bash\nptc run\n```",
            Ok("(f)"),
            &[OtherBlocks(1)],
        ),
        ("the value as a comment", "```clojure\n(f)\n;; => 1\n```", Ok("(f)\n;; => 1"), &[]),
        ("a comment behind it", "(f) ; done", Ok("(f) ; done"), &[Unfenced]),
        ("a difference", "```diff\n-(f)\n+(g)\n```", other("diff"), &[]),
        ("in a sentence", "The answer is `(f)`.", Err(E::NoProgram), &[]),
        ("announced, unfenced", "Sure! Here's the program:\n\n(f)\n", Err(E::NoProgram), &[]),
        ("a numbered item", "1. ```clojure\n   (f)\n   ```", Ok("   (f)"), &[Prose]),
        ("a dialect", "```clojurescript\n(f)\n```", Ok("(f)"), &[Unlabelled]),
        ("another Lisp", "```common-lisp\n(f)\n```", Ok("(f)"), &[Unlabelled]),
        ("no name at all", "```code\n(f)\n```", Ok("(f)"), &[Unlabelled]),
        ("a file behind the name", "```Clojure:main.clj\n(f)\n```", Ok("(f)"), &[]),
        ("the last fence is short", "```clojure\n(f)\n``", Err(E::CutOff), &[]),
        ("apostrophes", "'''clojure\n(f)\n'''", Err(E::NoProgram), &[]),
        ("a refusal", "I'm sorry, but I can't help with that.", Err(E::NoProgram), &[]),
        ("nothing but nil", "nil", Err(E::NoProgram), &[]),
        ("another syntax", "return(1)", Err(E::NoProgram), &[]),
    ]);
}
