package record

import (
	"net/http"
	"time"

	"appliance/svc"
	"appliance/svc/calendar"
	"appliance/svc/calendar/edit"
	"appliance/svc/calendar/view"
	"appliance/svc/social"
	"appliance/svc/words"
	"appliance/world/action"
)

// Undo is the request that undoes a write. Sending it again has no further effect.
type Undo struct {
	Label  string        `json:"label"`
	Method action.Method `json:"method"`
	URL    string        `json:"url"`
	Body   svc.Map       `json:"body"`
	Until  *time.Time    `json:"until"` // when the request stops working; null for no limit
}

// UndoTrash returns the request that restores an entry in the trash, nil for a nil
// entry.
func UndoTrash(l words.Language, t *calendar.TrashEntry) *Undo {
	if t == nil {
		return nil
	}
	restore := action.Trash.Offers(l, *t, "restore")[0]
	return &Undo{l.Text("Undo"), restore.Method, restore.URL, restore.Body, &t.ExpiresAt}
}

// UndoExclusion returns the request that restores a deleted occurrence of a series.
func UndoExclusion(l words.Language, id, recurrenceID string) *Undo {
	return &Undo{l.Text("Undo"), http.MethodPatch, action.TimeObjectsURL + "/" + id, svc.Map{"restore_occurrence": recurrenceID}, nil}
}

// UndoChange returns the request that restores the text of an entry before a change of its
// series, nil for nil.
func UndoChange(l words.Language, u *calendar.Undoable) *Undo {
	if u == nil {
		return nil
	}
	return &Undo{l.Text("Undo"), http.MethodPatch, action.TimeObjectsURL + "/" + u.ID, svc.Map{"restore_version": u.ETag}, &u.Until}
}

// UndoCompletion returns the request that gives a task, one occurrence of it, or the
// occurrences of a scope, the status and the progress that they had before they were
// completed. recurrenceID is "" for the whole task.
func UndoCompletion(l words.Language, before view.Object, scope edit.Scope, recurrenceID string) *Undo {
	body := svc.Map{"status": before.State.Status}
	if before.State.PercentComplete > 0 {
		body["percent_complete"] = before.State.PercentComplete
	}
	if recurrenceID != "" {
		body["scope"], body["recurrence_id"] = scope, recurrenceID
	}
	return &Undo{l.Text("Undo"), http.MethodPatch, action.TimeObjectsURL + "/" + before.ID, body, nil}
}

// UndoClosing returns the request that opens a closed conversation again.
func UndoClosing(l words.Language, c social.Conversation) *Undo {
	reopen := action.Conversations.Offers(l, c, "reopen")[0]
	return &Undo{l.Text("Undo"), reopen.Method, reopen.URL, reopen.Body, nil}
}

// UndoBlock returns the request that removes a block. It does not restore the invitations and the
// answers that the block has removed; the confirmation of the action names them.
func UndoBlock(l words.Language, b social.Block) *Undo {
	unblock := action.Blocks.Offers(l, b)[0]
	return &Undo{l.Text("Undo"), unblock.Method, unblock.URL, unblock.Body, nil}
}

// UndoUnblock returns the request that blocks a member again.
func UndoUnblock(l words.Language, member svc.MemberID) *Undo {
	return &Undo{l.Text("Undo"), http.MethodPost, action.BlocksURL, svc.Map{"member_id": member}, nil}
}
