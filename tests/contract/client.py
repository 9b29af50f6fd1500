"""A client in another language, generated from the document, against a running server.

    python client.py FOLDER   where FOLDER holds the generated package `fight_data_client`
"""

import os
import sys

sys.path.insert(0, sys.argv[1])

from fight_data_client import Client, models  # noqa: E402
from fight_data_client.api.core import bout, card, event, events, fighter, fighters_media, results, search  # noqa: E402
from fight_data_client.api.fight_dna import dna_query, fighter_dna  # noqa: E402
from fight_data_client.api.matchup_dna import matchup_dna  # noqa: E402
