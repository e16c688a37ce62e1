// Package panel renders the panels: for each service a page of sections, items and
// forms that a runtime can show even if it does not support the service. Panels are
// built from the results of a service, not from the dataset.
//
// # Files
//
//   - panel.go: Panel and its parts; buttons and forms from the tables of actions
//   - view.go: views and dates of the panels of settings and operators
//   - section.go: Section, and the selection of sections
//   - item.go: PanelItem, and the members, texts and replies of items
//   - badge.go: Badge, the number of what is new or due
//   - today.go: the panel of today
//   - time.go: the panel of Time: views, navigation, sections
//   - time_fields.go: the editable fields of calendar entries
//   - messages.go: the panel of Messages
//   - thread.go: items of threads and messages, for the panels of Messages and Social
//   - find.go: the panel of Find
//   - settings.go: the panel of settings: views, account, blocks, data
//   - settings_access.go: device passwords, sessions, second factors
//   - settings_calendars.go: calendars and the trash
//   - social.go: the panel of Social: views, dashboard
//   - social_feed.go: activity, notifications, invitations
//   - social_conversations.go: conversations and direct messages
//   - social_events.go: events
//   - social_communities.go: communities and their members
//   - social_people.go: people, profiles, presence
//   - social_circles.go: circles, blocks, invitations
//   - social_waiting.go: what waits for an answer of the member
//   - operator.go: the panel of operators: views, navigation
//   - operator_members.go: members, invitations, the audit log
//   - auditentry.go: the sentences of the audit log
//   - operator_server.go: the server: health, backups, services, regions, providers
package panel
