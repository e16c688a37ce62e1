// Package world is the gateway between runtimes and services. It composes the
// datasets of members, performs the actions that are not an operation of one
// service, and makes writes idempotent.
//
// # Files
//
//   - world.go: World
//   - dispatch.go: POST /world/actions, the actions by code and the response
//   - translation.go: previews of web pages
//   - provider.go: actions of providers
//   - workspace.go: the execution of workspace actions
//   - placemap.go: the layers of the maps that surfaces show
//   - wording.go: the texts of stored surfaces in the language of the member
//   - shown.go: current titles and unread counts of the objects that surfaces show
//   - badges.go: the numbers of what is new or due
//   - idempotency.go: writes with an idempotency key
//   - contracts.go: the published contracts
//
// The sub-packages: dataset composes and caches the dataset; action declares
// actions, controls and URLs; record contains the responses of the read routes;
// panel renders the panels; compat renders the dataset and the workspace for
// runtimes with surfaces and stacks; jsonschema derives schemas from Go types.
//
// # Why
//
// The dataset is also for runtimes without a screen, so it contains no terms of
// presentation. Everything about presentation is in the packages panel and
// compat, which import dataset; dataset must never import them.
package world
