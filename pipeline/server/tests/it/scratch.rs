use std::time::Instant;
use serde_json::json;
use fdna_server::*;
use fdna_schemas::Catalogue;
use crate::snapshot::*;
use crate::common::*;

#[tokio::test]
async fn scale() {
    let n_f = 4400; let n_b = 10500;
    let mut t = tables("x");
    let fid = |i: usize| fighter(&format!("f{i}")).to_string();
    t.fighters = table("fighters", (0..n_f).map(|i| json!({"fighter_id": fid(i), "statsdb_id": format!("f{i}"), "name": format!("Fighter Number{i} Ána"), "nickname": "The Great One", "date_of_birth": "1990-01-01","stance":"ORTHODOX"})).collect());
    t.events = table("events", (0..750).map(|i| json!({"event_id": event(&format!("e{i}")).to_string(), "statsdb_id": format!("e{i}"), "name": format!("Event {i}"), "event_date": "2020-01-10", "card_status":"completed"})).collect());
    let pair = |i: usize| { let mut p=[fid(i % n_f), fid((i*7+1) % n_f)]; if p[0]==p[1] { p[1]=fid((i+1)%n_f);} p.sort(); p };
    t.bouts = table("bouts", (0..n_b).map(|i| { let [a,b]=pair(i); json!({"bout_id": bout(&format!("b{i}")).to_string(), "statsdb_id": format!("b{i}"), "event_id": event(&format!("e{}", i%750)).to_string(), "event_date":"2020-01-10","weight_class_raw":"x","bout_order": i as i64 / 750, "status":"completed","fighter_a_id":a,"fighter_b_id":b})}).collect());
    t.results = table("results", (0..n_b).map(|i| json!({"bout_id": bout(&format!("b{i}")).to_string(), "outcome":"draw","method":"other","round":2,"clock_secs":60,"time_format":"3 Rnd","total_secs":360})).collect());
    t.scorecards = table("scorecards", vec![]);
    t.identities = table("identities", vec![]);
    t.corrections = table("corrections", vec![]);
    t.round_stats = table("round_stats", (0..n_b).flat_map(|i| { let p=pair(i); (1..=2).flat_map(move |r| { let p=p.clone(); (0..2).map(move |s| json!({"bout_id": bout(&format!("b{i}")).to_string(),"fighter_id":p[s],"round":r,"round_secs":300,"sig_landed":10,"sig_attempted":20}))}).collect::<Vec<_>>()}).collect());
    t.dna_versions = table("dna_versions", (0..n_f).flat_map(|i| (1..=4).map(move |v| { let mut row = json!({"fighter_id": fighter(&format!("f{i}")).to_string(), "version": v, "valid_from":"2020-01-11","definition_version":"1","weight_class":"LIGHTWEIGHT","eligible_bouts":v,"eligible_rounds":v,"first_bout_date":"2020-01-10","last_bout_date":"2020-01-10"}); for m in &Catalogue::get().metrics { row[Catalogue::version_column(&m.name,"status")]=json!("ok"); row[Catalogue::version_column(&m.name,"value")]=json!(3.5123); } row })).collect());
    let rss = || std::fs::read_to_string("/proc/self/status").unwrap().lines().find(|l| l.starts_with("VmRSS")).unwrap().to_owned();
    println!("before {}", rss());
    let b = Instant::now();
    let d = Dataset::build(info("big"), &t).unwrap();
    println!("built in {:?} {}", b.elapsed(), rss());
    let served = std::sync::Arc::new(Served::new(None)); served.put(d);
    let app = router(served);
    for p in ["/v1/mma/events/e5", "/v1/mma/events?limit=1000", "/v1/mma/events/e5/card?include=stats", "/v1/mma/fighters?q=ana&limit=250", "/v1/mma/fighters?q=number4399", "/v1/mma/fighters/f5/dna?as_of=2024-01-01", "/v1/mma/fighters/f5?include=history,stats,next"] {
        get(&app, p).await;
        let b = Instant::now(); let mut l=0;
        for _ in 0..50 { l = get(&app, p).await.bytes.len(); }
        println!("{p} {:?} {l}", b.elapsed()/50);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn stand() {
    let r = Running::start(crate::swapping::Moving::at("s1"), |_| {}).await;
    r.ready().await;
    println!("PORT {}", r.address);
    std::fs::write("/tmp/fdna_port", r.address.to_string()).unwrap();
    tokio::time::sleep(std::time::Duration::from_secs(12)).await;
}
