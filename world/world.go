package world

import (
	"appliance/store"
	"appliance/svc"
	"appliance/world/dataset"
)

// World composes the datasets of members and performs the actions that are not
// an operation of one service.
type World struct {
	*dataset.Composer
	services dataset.Services
	hosted   func(service string) svc.HostedService
	badges   badgeCache
}

// New returns the World of these services. hosted returns a service by name as
// the program runs it; build identifies the version of the program and its
// settings.
func New(db *store.DB, s dataset.Services, hosted func(service string) svc.HostedService, build string) *World {
	return &World{Composer: dataset.New(db, s, hosted, build), services: s, hosted: hosted}
}
