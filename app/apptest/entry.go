package apptest

import (
	"testing"
)

// desk is a member with one entry in a calendar of its own.
type EntryFixture struct {
	*Server
	Ann           *Client
	Calendar, Dav string // the entry's calendar, and its path
	Spare         string // another calendar's path
	ID            string
}

func NewEntryFixture(t *testing.T) *EntryFixture {
	d := &EntryFixture{Server: New(t, Unlimited)}
	d.Ann = d.Member("ann")
	d.Spare = d.Ann.Do("POST", "/world/calendars", `{"name": "Spare", "timezone": "Europe/Berlin"}`).Want(201).Str("calendar.caldav_path")
	return d
}
