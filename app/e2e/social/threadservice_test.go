package social

import (
	"strings"
	"testing"

	"appliance/app/apptest"
)

// Covers M-31, M-32, M-33, M-34, M-35 and B-15 for messages.
func TestProducerPublishesThreadSources(t *testing.T) {
	s := apptest.New(t, apptest.WithServiceKey)
	ann, bea := s.Member("ann"), s.Member("bea")
	id := strings.TrimPrefix(ann.SendMessage("bea", "Hello"), "/world/messages/")
	a := bea.AsService().Do("GET", "/messages/objects").Want(200)
	a.WantSchema("service.messages.object_source", a.At("objects.threads.0"))
	a.WantValues("", map[string]any{"service": "messages", "truncated": false, "objects.threads.1": nil})
	a.WantValues("objects.threads.0", map[string]any{
		"source": "map[resource_id:" + id + " resource_type:thread service:messages]", "state.current_identity_user_id": "2", "state.unread_count": 1,
		"domain_actions": "[open_thread send_message]",
	})
}

// Covers M-37 and B-15: with the service key, another service acts on behalf of a
// member.
func TestServiceRoutesActOnBehalfOfAMember(t *testing.T) {
	s := apptest.New(t, apptest.WithServiceKey)
	ann, bea := s.Member("ann"), s.Member("bea")
	asAnn, asBea := ann.AsService(), bea.AsService()
	id := asAnn.Do("POST", "/messages", `{"recipient": "bea", "body": "Hello"}`).Want(201).Str("thread.id")
	asAnn.Do("POST", "/messages/"+id+"/messages", `{"body": "Again"}`).Want(201)
	asAnn.Do("POST", "/messages", `{"recipient": ["bea", "op"], "body": "x"}`).Want(404)
	asBea.Do("GET", "/messages").Want(200).WantValues("", map[string]any{"threads.0.id": id, "threads.1": nil})
	asBea.Do("GET", "/messages/"+id).Want(200).WantValues("", map[string]any{"messages.1.body": "Again", "messages.2": nil})
	panel := asBea.Do("GET", "/runtime/panel/messages?thread="+id).Want(200)
	panel.WantSchema("service.world.panel", panel.At(""))
	panel.WantValues("", map[string]any{
		"threads.0.id": id, "selected_thread.id": id, "messages.1.body": "Again", "members.1.display_name": "Bea", "action_descriptors.1.url": "/world/messages/" + id + "/messages",
	})
	wantUnread(bea, "after reads of the service", 2)
	asBea.Do("POST", "/messages/"+id+"/read").Want(200)
	wantUnread(bea, "after the service marked the thread as read", 0)
	asAnn.With("X-Service-Member-Id", "").Do("GET", "/messages").WantError(400, "member_context_required")
}
