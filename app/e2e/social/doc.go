// Package social tests Social and Messages in the whole program over HTTP: statuses and
// shapes of responses, links and actions, mirrors in calendars, the dataset and the
// panels. The rules are tested next to the code, in svc/social and svc/messages. The files
// about Messages are thread*_test.go.
package social
