//! Images: whose they are, and until when they are shown.

use serde_json::{Value, json};

use crate::common::{get, request, send};
use crate::content::{Moved, app_at, fighter, image, uuid};
use crate::snapshot::table;

const NOW: &str = "2026-01-01T00:00:00Z";

fn portraits() -> Vec<Value> {
    let ends = json!({"is_primary": true, "rights_expires_at": "2026-06-01T00:00:00Z"});
    vec![
        image(1, Some("fa"), &ends),
        image(2, Some("fa"), &json!({"kind": "action"})),
        image(3, Some("fb"), &json!({"is_primary": true, "license": null})),
        image(4, Some("fb"), &json!({"attribution_text": " "})),
        image(5, Some("fb"), &json!({"is_served": false, "not_served_reason": "no licence"})),
        image(6, Some("fc"), &json!({"is_primary": true, "rights_expires_at": "2025-12-31T23:59:59Z"})),
        image(7, None, &json!({})),
    ]
}

fn moved(now: &str) -> Moved {
    Moved::at(now, |tables| tables.images = table("images", portraits()))
}

#[tokio::test]
async fn a_fighter_carries_his_images_and_the_chosen_one_comes_first() {
    let detail = moved(NOW).data("/v1/mma/fighters/fa").await;
    let images = detail["images"].as_array().unwrap();
    assert_eq!(images.iter().map(|i| i["id"].clone()).collect::<Vec<_>>(), [json!(uuid(1)), json!(uuid(2))]);
    assert_eq!(
        images[0],
        json!({"id": uuid(1), "kind": "portrait", "r2_key": null, "license": "CC BY 4.0", "author": "Pia Lens",
            "source_url": null, "fighter_id": fighter("fa"), "created_at": "2025-01-01T00:00:00+00:00",
            "source_family": null, "attribution_text": "Pia Lens, CC BY 4.0", "rights_label": null,
            "rights_expires_at": "2026-06-01T00:00:00+00:00", "stored_first_party": true,
            "image_url": "https://media.test/1.jpg", "card_url": null, "thumb_url": null})
    );
    assert_eq!(
        detail["primary_image"],
        json!({"id": uuid(1), "image_url": "https://media.test/1.jpg", "card_url": null, "thumb_url": null,
            "author": "Pia Lens", "license": "CC BY 4.0", "source_url": null, "kind": "portrait",
            "attribution_text": "Pia Lens, CC BY 4.0", "rights_label": null})
    );
}

#[tokio::test]
async fn nothing_is_shown_without_licence_credit_leave_or_rights() {
    let moved = moved(NOW);
    for who in ["fb", "fc"] {
        let detail = moved.data(&format!("/v1/mma/fighters/{who}")).await;
        assert_eq!((&detail["primary_image"], &detail["images"]), (&Value::Null, &json!([])), "{who}");
    }
}

#[tokio::test]
async fn lists_cards_and_other_records_carry_the_primary_image_alone() {
    let moved = moved(NOW);
    let reply = get(&moved.app, "/v1/mma/fighters").await;
    let with: Vec<bool> =
        reply.data().as_array().unwrap().iter().map(|f| f["primary_image"].is_object()).collect();
    assert_eq!((with, &reply.json()["meta"]["with_media"]), (vec![false, false, false, true], &json!(1)));
    assert!(reply.data()[3].get("images").is_none());
    assert_eq!(get(&moved.app, "/v1/mma/fighters?limit=1").await.json()["meta"]["with_media"], 0);

    let main = moved.data("/v1/mma/events/e1/card").await["bouts"][0].clone();
    let sides = [&main["fighter_a"], &main["fighter_b"]];
    let of = |id: &str| sides.iter().find(|f| f["statsdb_id"] == id).unwrap()["primary_image"]["id"].clone();
    assert_eq!((of("fa"), of("fb")), (json!(uuid(1)), Value::Null));
    let history = moved.data("/v1/mma/fighters/fb?include=history").await["history"].clone();
    let opponents: Vec<_> = history.as_array().unwrap().iter().map(|h| &h["opponent"]).collect();
    let zorvik = opponents.iter().find(|o| o["statsdb_id"] == "fa").unwrap();
    assert_eq!(zorvik["primary_image"]["id"], json!(uuid(1)));
}

#[tokio::test]
async fn an_image_is_gone_the_moment_its_rights_run_out_and_the_validator_with_it() {
    let moved = moved("2026-05-31T23:59:50Z");
    let path = "/v1/mma/fighters/fa";
    let before = get(&moved.app, path).await;
    assert_eq!(before.data()["primary_image"]["id"], json!(uuid(1)));
    assert_eq!(before.header("cache-control"), "max-age=10");
    let tag = before.header("etag").to_owned();
    let again = send(&moved.app, request("GET", path, &[("if-none-match", &tag)])).await;
    assert_eq!(again.status.as_u16(), 304);

    moved.to("2026-06-01T00:00:00Z");
    let after = send(&moved.app, request("GET", path, &[("if-none-match", &tag)])).await;
    assert_eq!(after.data()["primary_image"], Value::Null);
    assert_eq!(after.data()["images"].as_array().unwrap().len(), 1);
    assert_eq!(after.header("cache-control"), "max-age=60");
    assert_ne!(after.header("etag"), tag);
}

#[tokio::test]
async fn an_answer_as_of_a_date_is_the_same_whatever_the_time() {
    let moved = moved(NOW);
    let path = "/v1/mma/fighters/fa/dna?as_of=2020-03-01";
    let before = get(&moved.app, path).await;
    assert_eq!(before.data()["fighter"]["primary_image"], Value::Null);
    assert_eq!(moved.data("/v1/mma/fighters/fa/dna").await["fighter"]["primary_image"]["id"], json!(uuid(1)));
    moved.to("2030-01-01T00:00:00Z");
    let after = get(&moved.app, path).await;
    assert_eq!((after.data(), after.header("etag")), (before.data(), before.header("etag")));
}

#[tokio::test]
async fn a_look_up_has_one_key_for_each_asked_id() {
    let app = app_at(NOW, |tables| {
        tables.images = table("images", portraits());
        tables.aliases = table(
            "aliases",
            vec![json!({"kind": "fighter", "alias_id": uuid(77), "entity_id": fighter("fa")})],
        );
    });
    let ids = [fighter("fb"), fighter("fa"), uuid(77), uuid(99), fighter("fa")];
    let reply = get(&app, &format!("/v1/mma/fighters/media?ids={}", ids.join(","))).await;
    let media = reply.data()["media"].clone();
    assert_eq!(media.as_object().unwrap().len(), 4);
    assert_eq!((&media[&ids[0]], &media[&ids[3]]), (&Value::Null, &Value::Null));
    assert_eq!((&media[&ids[1]]["id"], &media[&ids[2]]["id"]), (&json!(uuid(1)), &json!(uuid(1))));
    let meta = &reply.json()["meta"];
    assert_eq!((&meta["requested"], &meta["found"]), (&json!(4), &json!(2)));
}

#[tokio::test]
async fn without_a_source_of_images_a_look_up_finds_none() {
    let reply = get(&app_at(NOW, |_| ()), &format!("/v1/mma/fighters/media?ids={}", fighter("fa"))).await;
    assert_eq!(reply.data()["media"], json!({fighter("fa"): null}));
    assert_eq!(reply.json()["meta"]["found"], 0);
}
