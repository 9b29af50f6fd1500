//! Walks of games that are made here: what is counted, and that a game that does not fit is partial and nothing else.

use proptest::prelude::*;

use super::*;

/// A game of nine innings: three strikeouts a half-inning, and before them the plays of those that are named. Somebody's
/// plays are written `inning, side, lines`; a line is a play's code, or a whole record where it begins with a kind and `,`.
fn game(plays: &[(u8, u8, &[&str])], halves: usize) -> String {
    let mut text = "id,AAA201904040\ninfo,visteam,VVV\ninfo,hometeam,AAA\n".to_owned();
    for side in 0..2 {
        for slot in 1..=9 {
            text +=
                &format!("start,{}{slot},\"Name, {slot}\",{side},{slot},{}\n", ["v", "h"][side], slot + 1);
        }
        text += &format!("start,{}p,\"P\",{side},0,1\n", ["v", "h"][side]);
    }
    for half in 0..halves {
        let (inning, side) = (half / 2 + 1, half % 2);
        let name = ["v", "h"][side];
        let own = plays.iter().find(|(i, s, _)| (usize::from(*i), usize::from(*s)) == (inning, side));
        let mut slot = 0;
        let mut add = |line: &str| {
            if line.split_once(',').is_some_and(|(kind, _)| kind.len() > 2 && kind.is_ascii()) {
                text += line;
            } else {
                slot = slot % 9 + 1;
                text += &format!("play,{inning},{side},{name}{slot},12,CCX,{line}");
            }
            text += "\n";
        };
        match own {
            Some((_, _, lines)) => lines.iter().for_each(|line| add(line)),
            None => ["K", "63/G", "8/F"].iter().for_each(|line| add(line)),
        }
    }
    text + "data,er,vp,0\ndata,er,hp,1\n"
}

fn walked(text: &str) -> Value {
    document(text).unwrap()["games"][0].take()
}

fn line<'v>(game: &'v Value, lines: &str, player: &str) -> &'v Value {
    game[lines].as_array().unwrap().iter().find(|line| line["player"] == player).unwrap()
}

#[test]
fn plays_are_counted_into_innings_and_lines() {
    let first: &[&str] = &["W", "SB2", "HR/F.2-H", "S7/L", "64(1)3/GDP", "D8.B-3(E8/TH)", "5/P"];
    let mut game = walked(&game(&[(1, 0, first)], 18));
    assert_eq!(game["is_whole"], true, "{}", game["partial_reason"]);
    assert_eq!(game["runs"], json!([2, 0]));
    assert_eq!((&game["hits"], &game["errors"]), (&json!([3, 0]), &json!([0, 1])));
    assert_eq!(game["halves"].as_array().unwrap().len(), 18);
    let half = game["halves"][0].take();
    let said =
        json!({"inning": 1, "side": 0, "outs": 3, "runs": 2, "hits": 3, "errors": 1, "left_on_base": 1});
    assert_eq!(half, said);
    let batter = line(&game, "batting", "v1");
    assert_eq!(
        (&batter["walks"], &batter["runs"], &batter["stolen_bases"]),
        (&json!(1), &json!(1), &json!(1))
    );
    let batter = line(&game, "batting", "v3");
    assert_eq!(
        (&batter["home_runs"], &batter["driven_in"], &batter["runs"]),
        (&json!(1), &json!(2), &json!(1))
    );
    let pitcher = line(&game, "pitching", "hp");
    assert_eq!(
        (&pitcher["outs"], &pitcher["runs"], &pitcher["earned_runs"]),
        (&json!(27), &json!(2), &json!(1))
    );
    let play = &game["plays"][2];
    assert_eq!(
        (&play["event"], &play["on_second"], &play["visitor_runs"]),
        (&json!("home_run"), &json!("v1"), &json!(2))
    );
}

#[test]
fn a_run_is_charged_to_the_pitcher_whose_runner_scored_or_was_put_out_for_him() {
    let plays: &[&str] = &["S8", "NP", "sub,hq,\"Q\",1,0,1", "54(1)/FO/G", "HR/F.1-H", "K", "K"];
    let game = walked(&game(&[(3, 0, plays)], 18));
    assert_eq!(game["is_whole"], true, "{}", game["partial_reason"]);
    let runs = ["hp", "hq"].map(|pitcher| line(&game, "pitching", pitcher)["runs"].clone());
    assert_eq!(runs, [json!(1), json!(1)]);
    assert_eq!(line(&game, "pitching", "hp")["outs"], 6);
}

#[test]
fn runners_behind_one_who_is_forced_out_go_one_base_further() {
    let plays: &[&str] = &["S7", "S8.1-2", "5(2)/FO/G", "W.2-3;1-2", "12(3)/FO/G", "HR.3-H;2-H;1-H", "K"];
    let game = walked(&game(&[(4, 0, plays)], 18));
    assert_eq!(game["is_whole"], true, "{}", game["partial_reason"]);
    assert_eq!(game["runs"], json!([4, 0]));
}

#[test]
fn turns_that_two_began_are_charged_by_the_count() {
    let plays: &[&str] = &[
        "play,2,0,v4,02,CC,NP",
        "sub,vx,\"X\",0,4,11",
        "play,2,0,vx,02,CC.S,K",
        "play,2,0,v5,20,BB,NP",
        "sub,hq,\"Q\",1,0,1",
        "play,2,0,v5,30,BB.BB,W",
        "HR.1-H",
        "K",
        "K",
    ];
    let game = walked(&game(&[(2, 0, plays)], 18));
    assert_eq!(game["is_whole"], true, "{}", game["partial_reason"]);
    assert_eq!(line(&game, "batting", "v4")["strikeouts"], 1);
    assert_eq!(line(&game, "batting", "vx")["appearances"], 0);
    assert_eq!(line(&game, "pitching", "hp")["walks"], 1);
    let runs = ["hp", "hq"].map(|pitcher| line(&game, "pitching", pitcher)["runs"].clone());
    assert_eq!(runs, [json!(1), json!(1)], "the run of the walk is that of who began it");
}

#[test]
fn a_game_ends_as_the_rules_let_it_or_is_partial() {
    let homer: &[&str] = &["HR/F"];
    let homer_then_out: &[&str] = &["HR/F", "K", "K", "K"];
    let reason = |text: &str| walked(text)["partial_reason"].as_str().map(str::to_owned);
    // Walked off, not batted in the ninth, tied.
    assert_eq!(reason(&game(&[(9, 1, homer)], 18)), None);
    assert_eq!(reason(&game(&[(2, 1, homer_then_out)], 17)), None);
    assert_eq!(reason(&game(&[], 18)).unwrap(), "it ends in inning 9 of side 1 with 3 outs");
    // Called for rain, and a game of seven innings.
    let short = game(&[(1, 1, homer_then_out)], 12);
    assert!(reason(&short).is_some());
    let called = short.replace("data,er,vp", "com,\"$Game called for rain\"\ndata,er,vp");
    assert_eq!(reason(&called), None);
    assert_eq!(walked(&called)["shortened"], "Game called for rain");
    assert_eq!(
        reason(&game(&[(1, 1, homer_then_out)], 13).replace("info,visteam", "info,innings,7\ninfo,visteam")),
        None
    );
    // Broken ones; what stands before the place is walked, what stands behind it is as stated.
    for (plays, why) in [
        (&["S8", "K", "K"][..], "the half-inning before it has 2 outs"),
        (&["K", "K", "K", "K"], "three were out before it"),
        (&["S8.1-2", "K", "K", "K"], "nobody is on base 1"),
        (&["S8", "S7", "K", "K", "K"], "two runners stand on base 1"),
        (&["S8", "63(1)/GDP", "K54", "46(2)3", "K"], "nobody is on base 2"),
        (&["%"], "no event is `%`"),
        (&["play,1,0,v1,12"], "cannot be read"),
        (&["play,1,0,zz,12,X,K"], "zz is not in the batting order"),
    ] {
        let game = walked(&game(&[(1, 0, plays), (2, 0, homer_then_out)], 18));
        assert_eq!(game["is_whole"], false);
        assert!(game["partial_reason"].as_str().unwrap().contains(why), "{why}: {}", game["partial_reason"]);
        assert!(game["plays"].as_array().unwrap().len() > 50);
    }
}

#[test]
fn the_run_of_a_runner_whom_the_rules_put_on_base_is_of_whoever_pitches_first() {
    for (plays, charged) in [
        (&["radj,v9,2", "S8.2-H", "K", "K", "K"] as &[&str], &["hp"] as &[&str]),
        (&["radj,v9,2", "NP", "sub,hq,\"Q\",1,0,1", "S8.2-H", "K", "K", "K"], &["hq", "hp"]),
        (&["NP", "sub,hq,\"Q\",1,0,1", "radj,v9,2", "S8.2-H", "K", "K", "K"], &["hq", "hp"]),
        (&["radj,v9,2", "K", "NP", "sub,hq,\"Q\",1,0,1", "S8.2-H", "K", "K"], &["hp", "hq"]),
    ] {
        let game = walked(&game(&[(10, 0, plays)], 20));
        assert_eq!(game["is_whole"], true, "{}", game["partial_reason"]);
        assert_eq!(game["runs"], json!([1, 0]));
        let runs: Vec<_> =
            charged.iter().map(|pitcher| line(&game, "pitching", pitcher)["runs"].clone()).collect();
        assert_eq!(
            runs.iter().filter_map(serde_json::Value::as_u64).collect::<Vec<_>>(),
            [1, 0][..charged.len()],
            "{plays:?}"
        );
    }
}

proptest! {
    #[test]
    fn no_text_makes_it_panic(text in "((id|info|start|sub|play|radj|data|er|com|[0-9a-z\",\\n]|é){0,40}\\n){0,8}") {
        drop(document(&text));
    }

    /// However a game is damaged, each of its plays is still told.
    #[test]
    fn a_damaged_game_tells_every_play(at in 0_usize..54, code in "(S8|W|K|HR|[1-9XE.()/-]){0,8}") {
        let text = game(&[], 18);
        let (mut lines, mut n) = (Vec::new(), 0);
        for line in text.lines() {
            let is_hit = line.starts_with("play") && n == at;
            n += usize::from(line.starts_with("play"));
            let (before, _) = line.rsplit_once(',').unwrap();
            lines.push(if is_hit { format!("{before},{code}") } else { line.to_owned() });
        }
        let game = walked(&lines.join("\n"));
        prop_assert_eq!(game["plays"].as_array().unwrap().len(), 54);
        let is_tied = game["runs"][0] == game["runs"][1];
        prop_assert!(game["is_whole"] == json!(false) || !is_tied);
    }
}
