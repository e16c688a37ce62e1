// Package messages tests the Messages service in the whole program: its HTTP
// routes, its part of the dataset and its panel. The rules of the service are
// tested in svc/messages.
package messages
