CREATE FUNCTION refuse_change_of_key_actions() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN RAISE EXCEPTION 'key_actions is append-only'; END $$;
CREATE TRIGGER key_actions_stay BEFORE UPDATE OR DELETE ON key_actions
    FOR EACH ROW EXECUTE FUNCTION refuse_change_of_key_actions();
CREATE TRIGGER key_actions_remain BEFORE TRUNCATE ON key_actions
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change_of_key_actions();
