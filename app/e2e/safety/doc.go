// Package safety attacks a server process that has little memory, and checks that the
// process survives and other members are served meanwhile. Without -long the attacks
// are small.
//
//	go test ./app/e2e/safety -long -v
//	go test ./app/e2e/safety -long -v -run MixedLoad -mixed 1h
//
// # Files
//
//   - main_test.go: flags and TestMain
//   - server_linux_test.go: the attacked server, its memory and its log
//   - bystander_linux_test.go: a member who uses the server during an attack
//   - attack_linux_test.go: requests of attackers
//   - memory_linux_test.go: attacks on memory by a member
//   - connections_linux_test.go: attacks on connections and file descriptors
//   - mixed_linux_test.go: 50 members beside all attacks at once
//
// # Why
//
// The tests measure the peak of the resident memory of a process, which Linux
// reports in /proc, with 127.0.0.0/8 as addresses of clients. They are separate
// from package crash, which kills servers on purpose.
package safety
