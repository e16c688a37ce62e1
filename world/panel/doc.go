// Package panel renders the panels: for each service a page of sections, items
// and forms that a runtime can show without knowing the service. Panels are
// built from what a service returns, not from the dataset.
//
// # Files
//
//   - panel.go                 Panel and its parts
//   - time.go                  the panel of Time
//   - messages.go              the panel of Messages
//   - find.go                  the panel of Find
//   - social.go                the panel of Social: views, dashboard, activity, notifications
//   - social_conversations.go  conversations and direct messages
//   - social_events.go         events
//   - social_people.go         communities, people, profiles, presence
package panel
