//! Requests that the server has signed.

use serde_json::json;

use crate::cluster::Cluster;
use crate::life::write_agents;

/// A private key of these tests, and its public one as the server gives it.
const PRIVATE: &str = "MC4CAQAwBQYDK2VwBCIEINAkyyNid6/NfgXxK7KGBWEFYRMoJDtvg3NdATVOGHxO";
const KEY: &str = "publickeyv1_BVruFsYz6wqGhCZxtccBEV5rmbYLUrvLSc448nd7Byxe";
/// The public key of another server.
const OTHER: &str = "publickeyv1_BgfNPmp93ER3JcAuLAeiP3JgdpmFX6poHfrxxUzsVrRG";

/// The server runs in a folder below that of the key.
const SIGNS: &str = "request-identity-private-key-pem-file = \"../key.pem\"\n";

/// A worker with a key serves the server that has the other half, and no one else.
#[test]
fn a_worker_serves_the_server_of_its_key_alone() {
    for (settings, key, is_served) in [(SIGNS, KEY, true), (SIGNS, OTHER, false), ("", KEY, false)]
    {
        let cluster = Cluster::start_with(settings, 1, |folder| {
            write_agents(folder);
            let pem =
                format!("-----BEGIN PRIVATE KEY-----\n{PRIVATE}\n-----END PRIVATE KEY-----\n");
            std::fs::write(folder.path("key.pem"), pem).expect("writes");
        });
        let Some(cluster) = cluster else { return };
        let worker = cluster.add_deployment(&["--identity-key", key]);
        assert_eq!(worker.id.is_string(), is_served, "{settings}{key}");
        if is_served {
            let run = cluster.run("steps", &json!({"n": 2}));
            assert_eq!(cluster.attach(&run)["status"], "returned");
            let used = cluster.query(
                "SELECT DISTINCT pinned_deployment_id AS id FROM sys_invocation WHERE target_service_name = 'PtcRecord'",
            );
            assert_eq!(used, [json!({"id": worker.id})], "the worker with the key took the run");
        }
    }
}
