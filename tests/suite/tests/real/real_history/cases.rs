//! Bouts of the real history with what the source's files say of them, read by hand from the lines named
//! above each; none of it is taken from our own output.

/// A bout and its expected text, as `History::bout_text` and `History::rounds_text` write it: fighters under
/// the names and ids of `ufc_fighter_tott.csv`, in the order of their names.
pub(crate) struct Case {
    pub(crate) what: &'static str,
    /// The id at the end of the bout's address.
    pub(crate) bout: &'static str,
    pub(crate) says: &'static str,
    /// Rule by which all its round rows were tied; empty without rows.
    pub(crate) tied_by: &'static str,
    /// Number of its round rows.
    pub(crate) rows: usize,
    /// Its round rows in full; empty where only their number is checked.
    pub(crate) rounds: &'static str,
}

/// All lines are of the capture of 2025-11-02, the header being line 1.
pub(crate) const CASES: [Case; 34] = [
    // ufc_fight_results.csv:2735, ufc_event_details.csv:229, ufc_fighter_tott.csv:1530 and 1047,
    // ufc_fight_stats.csv:13246-13251
    Case {
        what: "a unanimous draw gives both the same points",
        bout: "dcf161082c849205",
        says: "
            2020-08-01 Bantamweight Bout: Chris Gutierrez 45f0cc9d18f35137 and Cody Durden 7f6ed67d3ed3c036
            BANTAMWEIGHT, title -, no belt, 3 scheduled
            draw by decision_unanimous, round 3 at 300 s of 3 Rnd (5-5-5), 900 s in all, referee Chris Tognoni
            detail: -
            Derek Cleary: Chris Gutierrez 28, Cody Durden 28
            Sal D'amato: Chris Gutierrez 28, Cody Durden 28
            Dave Hagen: Chris Gutierrez 28, Cody Durden 28
        ",
        tied_by: "name",
        rows: 6,
        rounds: "",
    },
    // ufc_fight_results.csv:2164, ufc_event_details.csv:178, ufc_fighter_tott.csv:2296 and 49,
    // ufc_fight_stats.csv:10436-10441
    Case {
        what: "a fighter of one name, whom this file writes with a space before it",
        bout: "178756c3cb23b884",
        says: "
            2021-09-18 Bantamweight Bout: Alatengheili 1897b7b913736a7c and Gustavo Lopez 93b62c5f2ba18e51
            BANTAMWEIGHT, title -, no belt, 3 scheduled
            draw by decision_unanimous, round 3 at 300 s of 3 Rnd (5-5-5), 900 s in all, referee Keith Peterson
            detail: -
            Tony Weeks: Alatengheili 28, Gustavo Lopez 28
            Derek Cleary: Alatengheili 28, Gustavo Lopez 28
            Sal D'amato: Alatengheili 28, Gustavo Lopez 28
        ",
        tied_by: "name",
        rows: 6,
        rounds: "",
    },
    // ufc_fight_results.csv:1447, ufc_event_details.csv:120, ufc_fighter_tott.csv:817 and 2572,
    // ufc_fight_stats.csv:6954-6959
    Case {
        what: "a majority draw: whose the unequal points are is not known",
        bout: "ec03739c836fadc8",
        says: "
            2023-02-11 Light Heavyweight Bout: Alonzo Menifield a495f599e787614f and Jimmy Crute 70e1f8a821b72c8b
            LIGHT_HEAVYWEIGHT, title -, no belt, 3 scheduled
            draw by decision_majority, round 3 at 300 s of 3 Rnd (5-5-5), 900 s in all, referee Marc Goddard
            detail: -
            Derek Cleary: 27 - 29 of unknown sides
            Ben Cartlidge: Alonzo Menifield 28, Jimmy Crute 28
            David Lethaby: Alonzo Menifield 28, Jimmy Crute 28
        ",
        tied_by: "name",
        rows: 6,
        rounds: "",
    },
    // ufc_fight_results.csv:1090, ufc_event_details.csv:91, ufc_fighter_tott.csv:1477 and 3648,
    // ufc_fight_stats.csv:5280-5289
    Case {
        what: "a split draw for a belt over five rounds",
        bout: "b395c89e19a3fec4",
        says: "
            2023-09-16 UFC Women's Flyweight Title Bout: Alexa Grasso e8b731feff72294b and Valentina Shevchenko 132deb59abae64b1
            WOMENS_FLYWEIGHT, title undisputed, a belt, 5 scheduled
            draw by decision_split, round 5 at 300 s of 5 Rnd (5-5-5-5-5), 1500 s in all, referee Herb Dean
            detail: -
            Junichiro Kamijo: 47 - 48 of unknown sides
            Sal D'amato: 48 - 47 of unknown sides
            Mike Bell: Alexa Grasso 47, Valentina Shevchenko 47
        ",
        tied_by: "name",
        rows: 10,
        rounds: "",
    },
    // ufc_fight_results.csv:8369, ufc_event_details.csv:748, ufc_fighter_tott.csv:3639 and 3942,
    // ufc_fight_stats.csv:39366-39369
    Case {
        what: "a superfight drawn after one overtime round of three minutes",
        bout: "3932f8e9a74f3d11",
        says: "
            1995-09-08 UFC Superfight Championship Bout: Ken Shamrock 63b65af1c5cb02cb and Oleg Taktarov 1dc56b59cb28425d
            -, title superfight, a belt, 1 scheduled
            draw by other, round 2 at 180 s of 1 Rnd + OT (30-3), 1980 s in all, referee John McCarthy
            detail: Time Expired
        ",
        tied_by: "name",
        rows: 4,
        rounds: "",
    },
    // ufc_fight_results.csv:219, ufc_event_details.csv:19, ufc_fighter_tott.csv:8 and 493,
    // ufc_fight_stats.csv:1140-1145
    Case {
        what: "a draw that had been a win: overturned, and still a draw",
        bout: "08c04f18b0f58d71",
        says: "
            2025-06-14 Middleweight Bout: Cody Brundage f14f644d41ade29f and Mansur Abdul-Malik 841695e02c99a521
            MIDDLEWEIGHT, title -, no belt, 3 scheduled
            draw by overturned, round 3 at 36 s of 3 Rnd (5-5-5), 636 s in all, referee Brent McKeehan
            detail: Technical Decision after Headbutt by Abdul-Malik
            Will Fisher: 18 - 20 of unknown sides
            Jon Marigliano: Cody Brundage 19, Mansur Abdul-Malik 19
            Sal D'amato: Cody Brundage 19, Mansur Abdul-Malik 19
        ",
        tied_by: "name",
        rows: 6,
        rounds: "",
    },
    // ufc_fight_results.csv:15, ufc_event_details.csv:3, ufc_fighter_tott.csv:205 and 1327,
    // ufc_fight_stats.csv:2066-2067
    Case {
        what: "a no contest for a belt, after the last day with control time",
        bout: "6390c8e74630473e",
        says: "
            2025-10-25 UFC Heavyweight Title Bout: Ciryl Gane 787bb1f087ccff8a and Tom Aspinall 399afbabc02376b5
            HEAVYWEIGHT, title undisputed, a belt, 5 scheduled
            no_contest by could_not_continue, round 1 at 275 s of 5 Rnd (5-5-5-5-5), 275 s in all, referee Jason Herzog
            detail: Eye poke by Gane
        ",
        tied_by: "name",
        rows: 2,
        rounds: "
            Ciryl Gane 1: 275 s, kd 0, sig 30/40, all 30/40, td 0/0, sub 0, rev 0, control -, head 8/16, body 9/11, leg 13/13, distance 30/40, clinch 0/0, ground 0/0
            Tom Aspinall 1: 275 s, kd 0, sig 27/39, all 27/39, td 0/1, sub 0, rev 0, control -, head 14/25, body 5/6, leg 8/8, distance 27/39, clinch 0/0, ground 0/0
        ",
    },
    // ufc_fight_results.csv:1693, ufc_event_details.csv:140, ufc_fighter_tott.csv:2489 and 7,
    // ufc_fight_stats.csv:8124-8129
    Case {
        what: "a result overturned to no contest: its points have no sides any more",
        bout: "5a2b86570110191b",
        says: "
            2022-07-30 Heavyweight Bout: Don'Tale Mayes 1a9480fc288e55d7 and Hamdy Abdelwahab 3329d692aea4dc28
            HEAVYWEIGHT, title -, no belt, 3 scheduled
            no_contest by overturned, round 3 at 300 s of 3 Rnd (5-5-5), 900 s in all, referee Kerry Hatley
            detail: Failed Drug Test by Abdelwahab
            Dan Mathisen: 29 - 28 of unknown sides
            Seth Fuller: 28 - 29 of unknown sides
            Kent Basinger: 29 - 28 of unknown sides
        ",
        tied_by: "name",
        rows: 6,
        rounds: "",
    },
    // ufc_fight_results.csv:8239, ufc_event_details.csv:732, ufc_fighter_tott.csv:3241 and 3741,
    // ufc_fight_stats.csv:39048-39051
    Case {
        what: "one round of twelve minutes and an overtime of three",
        bout: "997753de17f81e3a",
        says: "
            1999-03-05 Heavyweight Bout: Kevin Randleman 6859f67468ba8489 and Maurice Smith 33e33d51f289d2a1
            HEAVYWEIGHT, title -, no belt, 1 scheduled
            win of Kevin Randleman by decision_unanimous, round 2 at 180 s of 1 Rnd + OT (12-3), 900 s in all, referee John McCarthy
            detail: -
        ",
        tied_by: "name",
        rows: 4,
        rounds: "
            Kevin Randleman 1: 720 s, kd 0, sig 10/34, all 22/52, td 3/3, sub 0, rev 0, control -, head 10/34, body 0/0, leg 0/0, distance 4/15, clinch 0/1, ground 6/18
            Kevin Randleman 2: 180 s, kd 0, sig 7/15, all 17/25, td 1/1, sub 0, rev 0, control -, head 7/15, body 0/0, leg 0/0, distance 0/3, clinch 1/1, ground 6/11
            Maurice Smith 1: 720 s, kd 0, sig 7/14, all 12/19, td 0/0, sub 2, rev 0, control -, head 1/8, body 2/2, leg 4/4, distance 4/11, clinch 3/3, ground 0/0
            Maurice Smith 2: 180 s, kd 0, sig 2/2, all 2/2, td 0/0, sub 0, rev 0, control -, head 1/1, body 0/0, leg 1/1, distance 2/2, clinch 0/0, ground 0/0
        ",
    },
    // ufc_fight_results.csv:8229, ufc_event_details.csv:731, ufc_fighter_tott.csv:3441 and 3241,
    // ufc_fight_stats.csv:39024-39029
    Case {
        what: "one round of fifteen minutes and two overtimes, for a belt",
        bout: "73c07530f667289f",
        says: "
            1999-05-07 UFC Heavyweight Title Bout: Bas Rutten 03688dc3c3af3ac1 and Kevin Randleman 6859f67468ba8489
            HEAVYWEIGHT, title undisputed, a belt, 1 scheduled
            win of Bas Rutten by decision_split, round 3 at 180 s of 1 Rnd + 2OT (15-3-3), 1260 s in all, referee John McCarthy
            detail: -
        ",
        tied_by: "name",
        rows: 6,
        rounds: "",
    },
    // ufc_fight_results.csv:8343, ufc_event_details.csv:745, ufc_fighter_tott.csv:3630 and 3639,
    // ufc_fight_stats.csv:39308-39313
    Case {
        what: "one round of twenty-four minutes and two overtimes, without a class",
        bout: "6a060498e60756af",
        says: "
            1996-05-17 UFC Superfight Championship Bout: Dan Severn c670aa48827d6be6 and Ken Shamrock 63b65af1c5cb02cb
            -, title superfight, a belt, 1 scheduled
            win of Dan Severn by decision_split, round 3 at 180 s of 1 Rnd + 2OT (24-3-3), 1800 s in all, referee John McCarthy
            detail: -
        ",
        tied_by: "name",
        rows: 6,
        rounds: "",
    },
    // ufc_fight_results.csv:8399, ufc_event_details.csv:751, ufc_fighter_tott.csv:1454 and 3630,
    // ufc_fight_stats.csv:39430-39431
    Case {
        what: "no time limit; a tournament final is for no belt",
        bout: "f29eec19aa5c1303",
        says: "
            1994-12-16 UFC 4 Tournament Title Bout: Dan Severn c670aa48827d6be6 and Royce Gracie 429e7d3725852ce9
            -, title tournament, no belt, no limit
            win of Royce Gracie by submission, round 1 at 949 s of No Time Limit, 949 s in all, referee John McCarthy
            detail: Triangle Choke From Bottom Guard
        ",
        tied_by: "name",
        rows: 2,
        rounds: "
            Dan Severn 1: 949 s, kd 0, sig 4/7, all 27/43, td 1/1, sub 0, rev 0, control -, head 4/7, body 0/0, leg 0/0, distance 0/0, clinch 0/0, ground 4/7
            Royce Gracie 1: 949 s, kd 0, sig 0/4, all 80/84, td 0/0, sub 3, rev 0, control -, head 0/1, body 0/0, leg 0/3, distance 0/4, clinch 0/0, ground 0/0
        ",
    },
    // ufc_fight_results.csv:16, ufc_event_details.csv:3, ufc_fighter_tott.csv:1826 and 935,
    // ufc_fight_stats.csv:2068-2077
    Case {
        what: "a championship over five rounds that went to the cards",
        bout: "7d3da3c4153717de",
        says: "
            2025-10-25 UFC Women's Strawweight Title Bout: Mackenzie Dern 7447e9f28508106a and Virna Jandiroba 7dda2cf308f24a02
            WOMENS_STRAWWEIGHT, title undisputed, a belt, 5 scheduled
            win of Mackenzie Dern by decision_unanimous, round 5 at 300 s of 5 Rnd (5-5-5-5-5), 1500 s in all, referee Marc Goddard
            detail: -
            Mike Bell: Mackenzie Dern 48, Virna Jandiroba 47
            Chris Lee: Mackenzie Dern 48, Virna Jandiroba 47
            Sal D'amato: Mackenzie Dern 49, Virna Jandiroba 46
        ",
        tied_by: "name",
        rows: 10,
        rounds: "",
    },
    // ufc_fight_results.csv:663, ufc_event_details.csv:56, ufc_fighter_tott.csv:205 and 383,
    // ufc_fight_stats.csv:3216-3217
    Case {
        what: "an interim title in one minute",
        bout: "ec434314c5438fc7",
        says: "
            2024-07-27 UFC Interim Heavyweight Title Bout: Curtis Blaydes fa6796c55d6c5440 and Tom Aspinall 399afbabc02376b5
            HEAVYWEIGHT, title interim, a belt, 5 scheduled
            win of Tom Aspinall by ko_tko, round 1 at 60 s of 5 Rnd (5-5-5-5-5), 60 s in all, referee Marc Goddard
            detail: Punch to Head At Distance
        ",
        tied_by: "name",
        rows: 2,
        rounds: "
            Curtis Blaydes 1: 60 s, kd 0, sig 5/11, all 5/12, td 0/0, sub 0, rev 0, control 0, head 5/11, body 0/0, leg 0/0, distance 5/11, clinch 0/0, ground 0/0
            Tom Aspinall 1: 60 s, kd 1, sig 14/19, all 14/19, td 0/0, sub 0, rev 0, control 13, head 14/19, body 0/0, leg 0/0, distance 4/8, clinch 0/0, ground 10/11
        ",
    },
    // ufc_fight_results.csv:2081, ufc_event_details.csv:172, ufc_fighter_tott.csv:4366 and 3504,
    // ufc_fight_stats.csv:10006-10015
    Case {
        what: "an interim title on the cards",
        bout: "18edff5447989b3f",
        says: "
            2021-10-30 UFC Interim Bantamweight Title Bout: Cory Sandhagen 65f09bacd3957381 and Petr Yan d661ce4da776fc20
            BANTAMWEIGHT, title interim, a belt, 5 scheduled
            win of Petr Yan by decision_unanimous, round 5 at 300 s of 5 Rnd (5-5-5-5-5), 1500 s in all, referee Jason Herzog
            detail: -
            David Lethaby: Cory Sandhagen 46, Petr Yan 49
            Anders Ohlsson: Cory Sandhagen 46, Petr Yan 49
            Vito Paolillo: Cory Sandhagen 46, Petr Yan 49
        ",
        tied_by: "name",
        rows: 10,
        rounds: "",
    },
    // ufc_fight_results.csv:456, ufc_event_details.csv:39, ufc_fighter_tott.csv:796 and 505,
    // ufc_fight_stats.csv:2190-2195
    Case {
        what: "a doctor's stoppage on the last day with control time",
        bout: "00c6a2ef07ca51da",
        says: "
            2024-12-14 Welterweight Bout: Colby Covington dc9572dd6ec74859 and Joaquin Buckley b9437600497350f3
            WELTERWEIGHT, title -, no belt, 5 scheduled
            win of Joaquin Buckley by doctor_stoppage, round 3 at 282 s of 5 Rnd (5-5-5-5-5), 882 s in all, referee Dan Miragliotta
            detail: Cut above eye
        ",
        tied_by: "name",
        rows: 6,
        rounds: "
            Colby Covington 1: 300 s, kd 0, sig 10/51, all 10/51, td 0/2, sub 0, rev 0, control 22, head 5/42, body 4/6, leg 1/3, distance 10/51, clinch 0/0, ground 0/0
            Colby Covington 2: 300 s, kd 0, sig 19/50, all 25/56, td 1/3, sub 0, rev 0, control 88, head 13/43, body 4/5, leg 2/2, distance 17/48, clinch 0/0, ground 2/2
            Colby Covington 3: 282 s, kd 0, sig 8/23, all 36/54, td 0/3, sub 0, rev 0, control 110, head 8/23, body 0/0, leg 0/0, distance 6/21, clinch 0/0, ground 2/2
            Joaquin Buckley 1: 300 s, kd 0, sig 23/55, all 23/55, td 0/0, sub 0, rev 0, control 9, head 18/47, body 4/7, leg 1/1, distance 20/49, clinch 1/2, ground 2/4
            Joaquin Buckley 2: 300 s, kd 0, sig 28/55, all 29/56, td 0/1, sub 0, rev 0, control 1, head 20/46, body 6/7, leg 2/2, distance 24/50, clinch 4/5, ground 0/0
            Joaquin Buckley 3: 282 s, kd 0, sig 24/41, all 29/49, td 0/0, sub 1, rev 0, control 68, head 21/38, body 3/3, leg 0/0, distance 21/36, clinch 1/1, ground 2/4
        ",
    },
    // ufc_fight_results.csv:11, ufc_event_details.csv:2, ufc_fighter_tott.csv:4175 and 1039,
    // ufc_fight_stats.csv:2166-2171
    Case {
        what: "a split decision for the second-listed: the loser's points come first",
        bout: "760150e9951e65fa",
        says: "
            2025-11-01 Women's Bantamweight Bout: Ketlen Vieira b9706f80d005036c and Norma Dumont d3f5d33d61cd00c9
            WOMENS_BANTAMWEIGHT, title -, no belt, 3 scheduled
            win of Norma Dumont by decision_split, round 3 at 300 s of 3 Rnd (5-5-5), 900 s in all, referee Mark Smith
            detail: -
            Derek Cleary: Ketlen Vieira 28, Norma Dumont 29
            Ron McCarthy: Ketlen Vieira 29, Norma Dumont 28
            Eric Colon: Ketlen Vieira 28, Norma Dumont 29
        ",
        tied_by: "name",
        rows: 6,
        rounds: "
            Ketlen Vieira 1: 300 s, kd 0, sig 7/23, all 7/23, td 1/2, sub 1, rev 0, control -, head 1/13, body 1/4, leg 5/6, distance 7/23, clinch 0/0, ground 0/0
            Ketlen Vieira 2: 300 s, kd 0, sig 8/29, all 32/57, td 1/2, sub 0, rev 0, control -, head 1/19, body 4/5, leg 3/5, distance 8/26, clinch 0/1, ground 0/2
            Ketlen Vieira 3: 300 s, kd 0, sig 10/31, all 19/41, td 0/0, sub 0, rev 0, control -, head 8/28, body 0/1, leg 2/2, distance 10/30, clinch 0/1, ground 0/0
            Norma Dumont 1: 300 s, kd 0, sig 17/23, all 25/31, td 0/0, sub 0, rev 0, control -, head 5/10, body 2/3, leg 10/10, distance 17/23, clinch 0/0, ground 0/0
            Norma Dumont 2: 300 s, kd 0, sig 17/37, all 20/40, td 0/0, sub 0, rev 0, control -, head 5/25, body 5/5, leg 7/7, distance 14/34, clinch 3/3, ground 0/0
            Norma Dumont 3: 300 s, kd 0, sig 28/41, all 42/56, td 0/0, sub 0, rev 0, control -, head 14/25, body 11/13, leg 3/3, distance 26/39, clinch 2/2, ground 0/0
        ",
    },
    // ufc_fight_results.csv:18, ufc_event_details.csv:3, ufc_fighter_tott.csv:4198 and 99,
    // ufc_fight_stats.csv:2084-2089
    Case {
        what: "a split decision for the first-listed: the loser's points come first",
        bout: "b42a3386a7dccb3d",
        says: "
            2025-10-25 Heavyweight Bout: Alexander Volkov 279566840aa55bf2 and Jailton Almeida 41e83a89929d1327
            HEAVYWEIGHT, title -, no belt, 3 scheduled
            win of Alexander Volkov by decision_split, round 3 at 300 s of 3 Rnd (5-5-5), 900 s in all, referee Marc Goddard
            detail: -
            Tony Weeks: Alexander Volkov 29, Jailton Almeida 28
            Mike Bell: Alexander Volkov 28, Jailton Almeida 29
            Clemens Werner: Alexander Volkov 29, Jailton Almeida 28
        ",
        tied_by: "name",
        rows: 6,
        rounds: "",
    },
    // ufc_fight_results.csv:5068, ufc_event_details.csv:424, ufc_fighter_tott.csv:567 and 4254,
    // ufc_fight_stats.csv:24660-24665
    Case {
        what: "a point deduction glued to the first judge",
        bout: "00dcad4611fc63fe",
        says: "
            2015-08-08 Middleweight Bout: Chris Camozzi 6c2030e0a143a94b and Tom Watson 6809c31286b08d97
            MIDDLEWEIGHT, title -, no belt, 3 scheduled
            win of Chris Camozzi by decision_unanimous, round 3 at 300 s of 3 Rnd (5-5-5), 900 s in all, referee John McCarthy
            detail: Point Deducted: Low Blow by Watson
            Richard Bertrand: Chris Camozzi 29, Tom Watson 27
            Sal D'amato: Chris Camozzi 30, Tom Watson 26
            Derek Cleary: Chris Camozzi 29, Tom Watson 27
        ",
        tied_by: "name",
        rows: 6,
        rounds: "",
    },
    // ufc_fight_results.csv:5446, ufc_event_details.csv:457, ufc_fighter_tott.csv:3083 and 3212,
    // ufc_fight_stats.csv:26438-26443
    Case {
        what: "a point deduction and judges without names",
        bout: "7a440fcd8048b091",
        says: "
            2014-11-15 Ultimate Fighter Latin America Bantamweight Tournament Title Bout: Alejandro Perez 80daefbed11ce998 and Jose Quinonez 36549928f90f1d36
            BANTAMWEIGHT, title tournament, no belt, 3 scheduled
            win of Alejandro Perez by decision_unanimous, round 3 at 300 s of 3 Rnd (5-5-5), 900 s in all, referee John McCarthy
            detail: Two Points Deducted: Headbutt by Quinonez
            -: Alejandro Perez 29, Jose Quinonez 26
            -: Alejandro Perez 29, Jose Quinonez 26
            -: Alejandro Perez 28, Jose Quinonez 27
        ",
        tied_by: "name",
        rows: 6,
        rounds: "",
    },
    // ufc_fight_results.csv:6924, ufc_event_details.csv:590, ufc_fighter_tott.csv:410 and 3153,
    // ufc_fight_stats.csv:33380-33385
    Case {
        what: "a deduction that names nobody",
        bout: "a2be3b3f9739d0af",
        says: "
            2010-12-04 Light Heavyweight Bout: Igor Pokrajac 53278852bcd91e11 and Stephan Bonnar c6a33ff198aaaeeb
            LIGHT_HEAVYWEIGHT, title -, no belt, 3 scheduled
            win of Stephan Bonnar by decision_unanimous, round 3 at 300 s of 3 Rnd (5-5-5), 900 s in all, referee Steve Mazzagatti
            detail: Points Deducted: Illegal Strikes by Each Fighter
            Cecil Peoples: Igor Pokrajac 26, Stephan Bonnar 29
            Glenn Trowbridge: Igor Pokrajac 26, Stephan Bonnar 29
            Tony Weeks: Igor Pokrajac 26, Stephan Bonnar 29
        ",
        tied_by: "name",
        rows: 6,
        rounds: "",
    },
    // ufc_fight_results.csv:837, ufc_event_details.csv:70, ufc_fighter_tott.csv:4263 and 3695,
    // ufc_fight_stats.csv:4100-4105
    Case {
        what: "a technical decision, whose text holds the sign between points",
        bout: "77992b8727382373",
        says: "
            2024-03-30 Middleweight Bout: Bruno Silva 12ebd7d157e91701 and Chris Weidman 3a8176e15b9887c1
            MIDDLEWEIGHT, title -, no belt, 3 scheduled
            win of Chris Weidman by decision_unanimous, round 3 at 138 s of 3 Rnd (5-5-5), 738 s in all, referee Gary Copeland
            detail: Technical Decision - Eye Poke
            Eric Colon: Bruno Silva 27, Chris Weidman 30
            Sal D'amato: Bruno Silva 27, Chris Weidman 30
            Chris Lee: Bruno Silva 27, Chris Weidman 30
        ",
        tied_by: "name",
        rows: 6,
        rounds: "",
    },
    // ufc_fight_results.csv:5724, ufc_event_details.csv:483, ufc_fighter_tott.csv:601 and 3763,
    // ufc_fight_stats.csv:27744-27749
    Case {
        what: "points that contradict the winner: their sides are not known",
        bout: "7d947be4c15ebe36",
        says: "
            2014-05-10 Flyweight Bout: Chris Cariaso b2e3aca4cd363477 and Louis Smolka d2bc285ead803db0
            FLYWEIGHT, title -, no belt, 3 scheduled
            win of Chris Cariaso by decision_split, round 3 at 300 s of 3 Rnd (5-5-5), 900 s in all, referee Herb Dean
            detail: -
            Chris Lee: Chris Cariaso 29, Louis Smolka 29
            Sal D'amato: 29 - 28 of unknown sides
            Cardo Urso: 28 - 29 of unknown sides
        ",
        tied_by: "name",
        rows: 6,
        rounds: "",
    },
    // ufc_fight_results.csv:679, ufc_event_details.csv:57, ufc_fighter_tott.csv:1047 and 3694,
    // ufc_fight_stats.csv:3290-3293
    Case {
        what: "Bruno Silva the flyweight",
        bout: "94541dd979e0b4bd",
        says: "
            2024-07-20 Flyweight Bout: Bruno Silva 294aa73dbf37d281 and Cody Durden 7f6ed67d3ed3c036
            FLYWEIGHT, title -, no belt, 3 scheduled
            win of Bruno Silva by ko_tko, round 2 at 178 s of 3 Rnd (5-5-5), 478 s in all, referee Chris Tognoni
            detail: Punches to Head From Guard
        ",
        tied_by: "name",
        rows: 4,
        rounds: "",
    },
    // ufc_fight_results.csv:270, ufc_event_details.csv:23, ufc_fighter_tott.csv:282 and 3695,
    // ufc_fight_stats.csv:950-951
    Case {
        what: "Bruno Silva the middleweight",
        bout: "6ecfa439ef900bcc",
        says: "
            2025-05-10 Middleweight Bout: Bruno Silva 12ebd7d157e91701 and Marc-Andre Barriault 8e9eb3fc86db0f7d
            MIDDLEWEIGHT, title -, no belt, 3 scheduled
            win of Marc-Andre Barriault by ko_tko, round 1 at 87 s of 3 Rnd (5-5-5), 87 s in all, referee Luc Lefebvre
            detail: Elbows to Head In Clinch
        ",
        tied_by: "name",
        rows: 2,
        rounds: "
            Bruno Silva 1: 87 s, kd 0, sig 6/12, all 6/12, td 0/1, sub 0, rev 0, control -, head 4/10, body 2/2, leg 0/0, distance 1/6, clinch 5/5, ground 0/1
            Marc-Andre Barriault 1: 87 s, kd 1, sig 14/24, all 14/24, td 0/0, sub 0, rev 0, control -, head 11/19, body 3/4, leg 0/1, distance 4/10, clinch 7/10, ground 3/4
        ",
    },
    // ufc_fight_results.csv:706, ufc_event_details.csv:59, ufc_fighter_tott.csv:1920 and 3705,
    // ufc_fight_stats.csv:3418-3421
    Case {
        what: "Jean Silva the younger",
        bout: "2b7883b304b3df1c",
        says: "
            2024-06-29 Featherweight Bout: Charles Jourdain f1d64ae34e088832 and Jean Silva 52ef95b5860fb28c
            FEATHERWEIGHT, title -, no belt, 3 scheduled
            win of Jean Silva by ko_tko, round 2 at 82 s of 3 Rnd (5-5-5), 382 s in all, referee Marc Goddard
            detail: Punch to Head In Clinch
        ",
        tied_by: "name",
        rows: 4,
        rounds: "",
    },
    // ufc_fight_results.csv:8276, ufc_event_details.csv:737, ufc_fighter_tott.csv:3469 and 3711,
    // ufc_fight_stats.csv:39158-39159
    Case {
        what: "the pair that met twice on one night: the final",
        bout: "ec1bda9a4c2aab42",
        says: "
            1997-12-21 Ultimate Japan Heavyweight Tournament Title Bout: Kazushi Sakuraba 9b5b5a75523728f3 and Marcus Silveira f717b6002486f73f
            HEAVYWEIGHT, title tournament, no belt, 1 scheduled
            win of Kazushi Sakuraba by submission, round 1 at 224 s of 1 Rnd + OT (12-3), 224 s in all, referee John McCarthy
            detail: Armbar From Side Control
        ",
        tied_by: "pair_order",
        rows: 2,
        rounds: "
            Kazushi Sakuraba 1: 224 s, kd 0, sig 1/2, all 2/3, td 1/1, sub 2, rev 0, control -, head 1/2, body 0/0, leg 0/0, distance 0/1, clinch 0/0, ground 1/1
            Marcus Silveira 1: 224 s, kd 0, sig 1/2, all 11/13, td 1/1, sub 1, rev 0, control -, head 1/2, body 0/0, leg 0/0, distance 0/1, clinch 1/1, ground 0/0
        ",
    },
    // ufc_fight_results.csv:8279, ufc_event_details.csv:737, ufc_fighter_tott.csv:3469 and 3711,
    // ufc_fight_stats.csv:39164-39165
    Case {
        what: "the pair that met twice on one night: the bout before it",
        bout: "2750ac5854e8b28b",
        says: "
            1997-12-21 Heavyweight Bout: Kazushi Sakuraba 9b5b5a75523728f3 and Marcus Silveira f717b6002486f73f
            HEAVYWEIGHT, title -, no belt, 1 scheduled
            no_contest by overturned, round 1 at 111 s of 1 Rnd + OT (12-3), 111 s in all, referee John McCarthy
            detail: Early Stoppage
        ",
        tied_by: "pair_order",
        rows: 2,
        rounds: "
            Kazushi Sakuraba 1: 111 s, kd 0, sig 0/1, all 0/2, td 0/1, sub 0, rev 0, control -, head 0/1, body 0/0, leg 0/0, distance 0/0, clinch 0/0, ground 0/1
            Marcus Silveira 1: 111 s, kd 0, sig 4/10, all 9/15, td 1/1, sub 1, rev 0, control -, head 4/10, body 0/0, leg 0/0, distance 0/1, clinch 4/9, ground 0/0
        ",
    },
    // ufc_fight_results.csv:738, ufc_event_details.csv:62, ufc_fighter_tott.csv:2425 and 3265,
    // ufc_fight_stats.csv:3582-3583
    Case {
        what: "rounds under a former name, `Zach Reese`: the opponent tells whose they are",
        bout: "3b12094dd48c2dc5",
        says: "
            2024-06-08 Middleweight Bout: Julian Marquez d0e1b42d41dab603 and Zachary Reese 23dec7c47cb418f8
            MIDDLEWEIGHT, title -, no belt, 3 scheduled
            win of Zachary Reese by ko_tko, round 1 at 20 s of 3 Rnd (5-5-5), 20 s in all, referee Dan Miragliotta
            detail: Punch to Head At Distance
        ",
        tied_by: "opponent",
        rows: 2,
        rounds: "
            Julian Marquez 1: 20 s, kd 0, sig 1/1, all 1/1, td 0/0, sub 0, rev 0, control 0, head 0/0, body 0/0, leg 1/1, distance 1/1, clinch 0/0, ground 0/0
            Zachary Reese 1: 20 s, kd 1, sig 6/9, all 6/9, td 0/0, sub 0, rev 0, control 0, head 5/8, body 1/1, leg 0/0, distance 2/4, clinch 0/0, ground 4/5
        ",
    },
    // ufc_fight_results.csv:2803, ufc_event_details.csv:235, ufc_fighter_tott.csv:3069 and 1248,
    // ufc_fight_stats.csv:13598-13603
    Case {
        what: "rounds under two former names, `Tecia Torres` and `Brianna Van Buren`",
        bout: "1adee75d6c671cc8",
        says: "
            2020-06-20 Women's Strawweight Bout: Brianna Fortino b53c46f613f6f248 and Tecia Pennington 31ef8b67e13495b3
            WOMENS_STRAWWEIGHT, title -, no belt, 3 scheduled
            win of Tecia Pennington by decision_unanimous, round 3 at 300 s of 3 Rnd (5-5-5), 900 s in all, referee Mark Smith
            detail: -
            Mike Bell: Brianna Fortino 27, Tecia Pennington 30
            Sal D'amato: Brianna Fortino 27, Tecia Pennington 30
            Rick Winter: Brianna Fortino 27, Tecia Pennington 30
        ",
        tied_by: "former_name",
        rows: 6,
        rounds: "
            Brianna Fortino 1: 300 s, kd 0, sig 9/11, all 10/12, td 2/5, sub 0, rev 0, control 148, head 1/3, body 8/8, leg 0/0, distance 2/3, clinch 7/8, ground 0/0
            Brianna Fortino 2: 300 s, kd 0, sig 11/27, all 12/28, td 0/1, sub 0, rev 0, control 34, head 3/16, body 6/7, leg 2/4, distance 7/23, clinch 4/4, ground 0/0
            Brianna Fortino 3: 300 s, kd 0, sig 14/30, all 15/31, td 0/1, sub 0, rev 0, control 92, head 5/21, body 7/7, leg 2/2, distance 9/25, clinch 5/5, ground 0/0
            Tecia Pennington 1: 300 s, kd 0, sig 12/29, all 36/55, td 0/1, sub 0, rev 0, control 61, head 6/23, body 5/5, leg 1/1, distance 5/20, clinch 7/9, ground 0/0
            Tecia Pennington 2: 300 s, kd 0, sig 28/65, all 30/67, td 0/0, sub 0, rev 0, control 32, head 17/54, body 7/7, leg 4/4, distance 24/59, clinch 4/6, ground 0/0
            Tecia Pennington 3: 300 s, kd 0, sig 34/66, all 45/77, td 0/2, sub 0, rev 0, control 36, head 19/50, body 9/10, leg 6/6, distance 26/57, clinch 6/6, ground 2/3
        ",
    },
    // ufc_fight_results.csv:3997, ufc_event_details.csv:334, ufc_fighter_tott.csv:3069 and 4248,
    // ufc_fight_stats.csv:19452-19457
    Case {
        what: "rounds under two former names, `Tecia Torres` and `Michelle Waterson`",
        bout: "ea674e0285fb77f5",
        says: "
            2017-12-02 Women's Strawweight Bout: Michelle Waterson-Gomez eb04b9d31e938edb and Tecia Pennington 31ef8b67e13495b3
            WOMENS_STRAWWEIGHT, title -, no belt, 3 scheduled
            win of Tecia Pennington by decision_unanimous, round 3 at 300 s of 3 Rnd (5-5-5), 900 s in all, referee Keith Peterson
            detail: -
            Bryan Miner: Michelle Waterson-Gomez 27, Tecia Pennington 30
            Eric Colon: Michelle Waterson-Gomez 28, Tecia Pennington 29
            Roy Silbert: Michelle Waterson-Gomez 28, Tecia Pennington 29
        ",
        tied_by: "former_name",
        rows: 6,
        rounds: "",
    },
    // ufc_fight_results.csv:8408, ufc_event_details.csv:751, ufc_fighter_tott.csv:663 and 3411,
    // ufc_fight_stats.csv:39448-39449
    Case {
        what: "a bout whose two rows of statistics are empty",
        bout: "a1db4c917777aa79",
        says: "
            1994-12-16 Open Weight Bout: Joe Charles 19ffeb5e3fffd6d5 and Kevin Rosier 598a58db87b890ee
            OPEN_WEIGHT, title -, no belt, no limit
            win of Joe Charles by submission, round 1 at 14 s of No Time Limit, 14 s in all, referee John McCarthy
            detail: Armbar
        ",
        tied_by: "",
        rows: 0,
        rounds: "",
    },
    // ufc_fight_results.csv:1057, ufc_event_details.csv:87, ufc_fighter_tott.csv:2369 and 3695
    Case {
        what: "a bout of which the capture has no rows of statistics",
        bout: "539732694ab2c8d6",
        says: "
            2023-10-21 Middleweight Bout: Bruno Silva 12ebd7d157e91701 and Shara Magomedov 06734ca9d88dec3a
            MIDDLEWEIGHT, title -, no belt, 3 scheduled
            win of Shara Magomedov by decision_unanimous, round 3 at 300 s of 3 Rnd (5-5-5), 900 s in all, referee Jason Herzog
            detail: -
            Ben Cartlidge: Bruno Silva 27, Shara Magomedov 30
            Vito Paolillo: Bruno Silva 27, Shara Magomedov 30
            Darryl Ransom: Bruno Silva 27, Shara Magomedov 30
        ",
        tied_by: "",
        rows: 0,
        rounds: "",
    },
    // ufc_fight_results.csv:8230, ufc_event_details.csv:731, ufc_fighter_tott.csv:3332 and 3980,
    // ufc_fight_stats.csv:39030-39031
    Case {
        what: "control time unknown in the nineties",
        bout: "99b5010fd25911af",
        says: "
            1999-05-07 Heavyweight Bout: Pedro Rizzo b44f39a5c6596953 and Tra Telligman 1dab0d1d81dd06db
            HEAVYWEIGHT, title -, no belt, 1 scheduled
            win of Pedro Rizzo by ko_tko, round 1 at 270 s of 1 Rnd + OT (12-3), 270 s in all, referee John McCarthy
            detail: Punch to Head At Distance
        ",
        tied_by: "name",
        rows: 2,
        rounds: "
            Pedro Rizzo 1: 270 s, kd 1, sig 9/43, all 9/43, td 0/0, sub 0, rev 0, control -, head 7/41, body 0/0, leg 2/2, distance 9/42, clinch 0/0, ground 0/1
            Tra Telligman 1: 270 s, kd 0, sig 16/46, all 16/46, td 0/1, sub 0, rev 0, control -, head 14/41, body 0/1, leg 2/4, distance 13/38, clinch 3/8, ground 0/0
        ",
    },
];
