// Package load measures the program with many members, much content and many
// clients, tests rules that can be violated only under such load, and attacks a server
// process that has little memory.
//
// Benchmarks measure requests in the test process:
//
//	go test ./app/e2e/load -run '^$' -bench Plenty
//
// The two tables measure a child process. Without their flags, -long only checks
// with little content that they work:
//
//	go test ./app/e2e/load -run CalDAVLoadTable -long -load 5000 -v -timeout 1h
//	go test ./app/e2e/load -run LatencyTable -long -crowd 300 -v -timeout 1h
//
// The third measures reads beside the import of a region; with its flag, their 99th
// percentile is checked:
//
//	go test ./app/e2e/load -run ReadsDuringImport -long -import-size 130 -v -timeout 1h
//
// The attacks are small without -long. The process must survive them and serve other
// members meanwhile:
//
//	go test ./app/e2e/load -long -v -run MixedLoad -mixed 1h
//
// Two more measurements need an idle machine, and are skipped without their flags: how much
// longer requests take beside the largest load that one member may cause, and how much memory
// that load needs. The flag -fairness-binary measures another build:
//
//	go test ./app/e2e/load -v -run Fairness -fairness 2000 -timeout 1h
//	go test ./app/e2e/load -v -run PeakMemory -peak -timeout 1h
//
// # Files
//
//   - main_test.go: flags and TestMain
//   - members_test.go: 50 members who read and write at once
//   - member_test.go: a member who checks each response
//   - messages_test.go: queries and truncation with many messages
//   - caldavload_test.go: the table of CalDAV requests to this and other servers
//   - caldavserver_test.go: a measured CalDAV server
//   - otherservers_test.go: Radicale and Xandikos
//   - latency_test.go: the table of latencies while members write
//   - import_test.go: reads during the import of a region, and imports that are stopped
//   - measure_test.go: durations, percentiles and queries
//   - population_test.go: servers with much content
//   - writer_test.go: a member who writes content of each kind
//   - calendar_bench_test.go: CalDAV and the panel of Time with many objects
//   - community_bench_test.go: requests on a server with 1,000 members
//   - conversations_bench_test.go: lists of Social with 1,000 conversations
//   - dataset_bench_test.go: a dataset of 2,000 objects after writes
//   - streammemory_linux_test.go: the memory of 500 idle streams
//   - datasetsize_test.go: the compressed size of a dataset of 1,000 calendar entries
//   - delta_bench_test.go: the changes of a dataset of 1,000 objects after a write
//   - messages_bench_test.go: Messages with 100,000 messages
//   - session_bench_test.go: the session and the translated dataset
//   - server_linux_test.go: the attacked server, its memory and its log
//   - bystander_linux_test.go: a member who uses the server during an attack
//   - attack_linux_test.go: requests of attackers
//   - memory_linux_test.go: attacks on memory by a member
//   - connections_linux_test.go: attacks on connections and file descriptors
//   - mixed_linux_test.go: 50 members beside all attacks at once
//   - fairness_linux_test.go: the ratios of delays beside attacks and without them
//   - fairattacks_linux_test.go: the attacks of one member, and the content that they need
//   - fairserver_linux_test.go: a server of any build with its default limits, and its members
//   - peak_linux_test.go: the peak of memory under three loads
//
// # Why
//
// The attacks measure the peak of the resident memory of a process, which Linux
// reports in /proc, with 127.0.0.0/8 as addresses of clients.
package load
