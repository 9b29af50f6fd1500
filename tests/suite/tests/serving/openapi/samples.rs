//! The samples of `/docs`, run as a reader would: copied into a shell.

use std::process::Command;

use fdna_suite::TestLake;
use fdna_suite::http::Serving;
use serde_json::Value;

use crate::openapi::app::{NOW, run};

fn unescaped(text: &str) -> String {
    text.replace("&quot;", "\"").replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")
}

/// Of each operation, its sample in curl.
fn samples(page: &str) -> Vec<(&str, String)> {
    let sections = page.split("<section class=operation id=\"").skip(1);
    sections
        .map(|section| {
            let (name, rest) = section.split_once('"').unwrap();
            let (_, code) = rest.split_once("<pre class=\"sample curl\" tabindex=0><code>").unwrap();
            (name, unescaped(code.split_once("</code>").unwrap().0))
        })
        .collect()
}

#[test]
fn every_sample_in_curl_is_answered() {
    let bench = TestLake::new(env!("CARGO_BIN_EXE_fightdna-under-test"));
    run(&bench, NOW, &["run", "--quiet"]);
    let serving = Serving::start(&bench);
    let page = serving.get("/docs").text();
    let samples = samples(&page);
    assert_eq!(samples.len(), fdna_api::all_operations().count());
    for (name, sample) in samples {
        let mut shell = Command::new("sh");
        // A stream has no end.
        let is_stream = name == "changes_stream";
        let limit = if is_stream { " --max-time 3" } else { "" };
        shell.args(["-c", &format!("{sample} --silent --show-error{limit}")]);
        shell.env("FIGHTDNA_URL", format!("http://{}", serving.address())).env("FIGHTDNA_KEY", "");
        let output = shell.output().unwrap();
        if is_stream {
            let events = String::from_utf8_lossy(&output.stdout);
            assert!(events.contains("\nevent: snapshot\ndata: {"), "{sample}: {events}");
            continue;
        }
        assert!(output.status.success(), "{sample}: {}", String::from_utf8_lossy(&output.stderr));
        if name == "snapshot_table_file" {
            assert!(output.stdout.starts_with(b"PAR1"), "{sample}");
            continue;
        }
        let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(answer["ok"], name != "fighter_position_profile", "{sample}: {}", answer["error"]);
    }
}
