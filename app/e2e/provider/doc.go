// Package provider tests third-party services in the whole program: acquisition, the
// dataset, actions and the routes for clients with the service key, with providers on
// this machine. The rules of payloads are tested in svc/provider/contract, those of
// storage in svc/provider.
//
// # Files
//
//   - dataset_test.go: objects of providers in datasets and in the workspace
//   - action_test.go: actions of providers
//   - source_test.go: acquisition of payloads
package provider
