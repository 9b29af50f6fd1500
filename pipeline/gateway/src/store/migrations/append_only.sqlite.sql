CREATE TRIGGER key_actions_stay BEFORE UPDATE ON key_actions
    BEGIN SELECT RAISE(ABORT, 'key_actions is append-only'); END;
CREATE TRIGGER key_actions_remain BEFORE DELETE ON key_actions
    BEGIN SELECT RAISE(ABORT, 'key_actions is append-only'); END;
