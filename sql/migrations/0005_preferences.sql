-- Preferences of a member for calendar views; a member without a row has the defaults.

CREATE TABLE calendar_preferences (
  member_id    INTEGER PRIMARY KEY REFERENCES identity_member(id),
  day_start    TEXT NOT NULL,               -- 07:00
  day_end      TEXT NOT NULL,               -- 22:00, at most 24:00
  week_start   TEXT NOT NULL,               -- monday
  slot_minutes INTEGER NOT NULL
) STRICT;
