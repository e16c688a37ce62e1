// Package crash tests the real process: start, signals, systemd and kill -9.
package crash
