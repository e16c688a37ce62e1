package messages

import "appliance/svc/thread"

// ThreadType is the value of Thread.Type and of object_type.
const ThreadType = "message_thread"

// Thread is a message thread as one of its two members sees it.
type Thread struct {
	ID   string `json:"id"`
	Type string `json:"type"` // "message_thread"
	thread.Thread
}

// NewThread returns the published form of t.
func NewThread(t thread.Thread) Thread { return Thread{t.ID, ThreadType, t} }
