//! The seed of the random numbers that programs draw, which is on record.

use std::sync::atomic::{AtomicUsize, Ordering};

use ptc_subagent::provider::{Reply, Scripted};
use ptc_subagent::replay::Replay;
use ptc_subagent::store::Store;
use ptc_subagent::tool::ToolDef;
use ptc_subagent::{Agent, MAX_SEED, Mission, RunReport};
use serde_json::{Value, json};

use crate::support::{Model, program};

/// Programs that draw in two turns, in branches, in a sub-agent, and after an error.
const PROGRAMS: [&str; 3] = [
    "(def first-drawn [(rand-int 1000000) (str (random-uuid)) (shuffle (range 9))])",
    "(do (rand) (throw (ex-info \"no\" {})))",
    "(return {:drawn first-drawn
              :again (rand-int 1000000)
              :lazy (take 3 (repeatedly (fn [] (rand-int 1000))))
              :branches (pmap (fn [n] [(rand-int 1000000) (tool/die {}) (rand-int 1000000)]) (range 3))
              :printed (with-out-str (print (rand-nth [1 2 3 4 5 6 7 8 9])))})",
];

fn agent() -> Agent {
    let die = Agent::new("Throw a die.").with_name("die").with_max_turns(1).with_seed(5);
    Agent::new("Draw.").with_tool(ToolDef::agent(die))
}

async fn run(agent: &Agent, seed: Option<u64>, store: &Store) -> RunReport {
    let turn = AtomicUsize::new(0);
    let model = Model(|text: &str| {
        if text.contains("Throw a die.") {
            return Reply::new(program("(return (rand-int 1000000))"));
        }
        Reply::new(program(PROGRAMS[turn.fetch_add(1, Ordering::Relaxed)]))
    });
    let mission = Mission::new(agent, json!({})).record_in(store);
    let mission = seed.into_iter().fold(mission, Mission::with_seed);
    mission.run(&model).await.unwrap()
}

#[tokio::test]
async fn the_same_seed_gives_the_same_numbers() {
    let store = Store::in_memory().unwrap();
    let (one, same, other) = (
        run(&agent(), Some(7), &store).await,
        run(&agent(), Some(7), &store).await,
        run(&agent(), Some(8), &store).await,
    );
    assert_eq!((one.seed, same.seed, other.seed), (7, 7, 8));
    assert_eq!(one.value, same.value);
    assert_ne!(one.value, other.value);
    // Every stream is separate, so no number repeats.
    let value = one.value.to_json().unwrap();
    let branches = value["branches"].as_array().unwrap();
    let mut drawn: Vec<&Value> = branches.iter().flat_map(|it| it.as_array().unwrap()).collect();
    drawn.extend([&value["drawn"][0], &value["again"]]);
    let mut numbers: Vec<u64> = drawn.iter().map(|it| it.as_u64().unwrap()).collect();
    numbers.sort_unstable();
    numbers.dedup();
    assert_eq!(numbers.len(), 11, "{drawn:?}");

    let record = store.show(one.run.as_str()).unwrap();
    assert_eq!(record.setup.seed, Some(7));
    assert_eq!(serde_json::to_value(&record).unwrap()["seed"], 7);
    let seeds = |run: &RunReport| -> Vec<Option<u64>> {
        let runs = store.runs(99).unwrap();
        let below = runs.iter().filter(|it| it.parent.as_ref().is_some_and(|it| it.run == run.run));
        let mut seeds: Vec<_> =
            below.map(|it| store.show(it.run.as_str()).unwrap().setup.seed).collect();
        seeds.sort_unstable();
        seeds
    };
    assert_eq!(seeds(&one), seeds(&same));
    assert_ne!(seeds(&one), seeds(&other));
    let mut of_one = seeds(&one);
    of_one.dedup();
    assert_eq!(of_one.len(), 3);
    assert!(of_one.iter().all(|it| it.is_some_and(|it| it <= MAX_SEED)), "{of_one:?}");
}

#[tokio::test]
async fn a_replay_draws_what_the_run_drew() {
    let store = Store::in_memory().unwrap();
    let run = run(&agent(), None, &store).await;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.jsonl");
    store.export(&[run.run.as_str()], None, std::fs::File::create(&path).unwrap()).unwrap();
    let other = Store::in_memory().unwrap();
    other.import(None, std::io::BufReader::new(std::fs::File::open(&path).unwrap())).unwrap();
    for store in [&store, &other] {
        let replayed = Replay::of(store, run.run.as_str()).unwrap().run().await.unwrap();
        assert_eq!(replayed.differences, []);
    }
}

#[tokio::test]
async fn where_a_seed_comes_from() {
    let store = Store::in_memory().unwrap();
    let drawing = Agent::new("Draw.").with_max_turns(1);
    let check = async |agent: &Agent, seed: Option<u64>| {
        let model = Scripted::new([program("(return (rand-int 1000000000))")]);
        let mission = Mission::new(agent, json!({})).record_in(&store);
        let mission = seed.into_iter().fold(mission, Mission::with_seed);
        mission.run(&model).await.unwrap().seed
    };
    assert_eq!(check(&drawing.clone().with_seed(3), None).await, 3);
    assert_eq!(check(&drawing.clone().with_seed(3), Some(4)).await, 4);
    assert_eq!(check(&drawing, Some(u64::MAX)).await, MAX_SEED);
    let fresh = [check(&drawing, None).await, check(&drawing, None).await];
    assert_ne!(fresh[0], fresh[1]);
    assert!(fresh.iter().all(|it| *it <= MAX_SEED));
}

/// Records of earlier versions have no seed and replay unchanged.
#[tokio::test]
async fn records_of_earlier_versions() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../examples/runs");
    for name in ["desk", "inspections", "parcels", "refunds"] {
        let store = Store::in_memory().unwrap();
        let file = std::fs::read(format!("{folder}/{name}.jsonl")).unwrap();
        let runs = store.import(None, std::io::Cursor::new(file)).unwrap();
        for run in &runs {
            assert_eq!(store.show(run.as_str()).unwrap().setup.seed, None);
        }
        let replayed = Replay::of(&store, runs[0].as_str()).unwrap().run().await.unwrap();
        assert_eq!(replayed.differences, [], "{name}");
    }
}
