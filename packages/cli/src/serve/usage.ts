/** The help of `parley serve`. */
export const serveUsage: string = `Usage: parley serve [MODULE] [options]

Serves an agent in every version of the protocol, over a store that keeps its tasks. docs/serve.md has more.

What is served:
  MODULE                a module that exports an agent or several, such as ./agent.ts; without anything, the demo agent
  --watch               start again when a file of the module changes; tasks that wait go on
  --exec COMMAND        a program, started for each message: it reads the text of the message, and writes the answer;
                        no shell reads COMMAND
  --http URL            a service that gets each message as a POST and answers with text, JSON or an event stream
  --openai BASE_URL     a model behind an endpoint for chat completions, such as http://127.0.0.1:11434/v1; the
                        environment variable OPENAI_API_KEY is its key
  --model NAME          the model of --openai
  --system TEXT         what the model of --openai is told first
  --a2a REFERENCE       another agent, of any version: the URL of it or of its card, or a host
  --header LINE         a header for --http and --a2a, such as "X-Team: travel"; can be repeated. The environment
                        variable PARLEY_BACKEND_TOKEN becomes their bearer token
  --name NAME           the name of the agent of --exec, --http, --openai or --a2a
  --description TEXT    what it does
  --at-most-once        fail a run of theirs that its server did not finish; without it, the next server begins it again

Where:
  --port N              the port for HTTP, default 4100; 0 chooses a free port
  --host ADDRESS        the address to listen on, default 127.0.0.1
  --grpc-port N         the port for gRPC, default the one after --port
  --grpc-in-card        list gRPC in the agent card; some clients refuse a card with an address of gRPC
  --no-grpc             do not serve gRPC
  --store URL           where tasks are kept: postgres://…, the path of a SQLite file, or memory:; default
                        the environment variable DATABASE_URL, else .parley/parley.db; postgres://…?schema=NAME
                        names the schema of the tables, default parley
  --bus URL             what wakes the other servers of the same store: nats://…, tls://…, postgres://… or
                        memory: for none; default NATS_URL, else the database if it is PostgreSQL;
                        nats://…?cluster=NAME keeps apart clusters that share a NATS server
  --public-url URL      the URL at which callers reach this server, for its agent card
  --public-host NAME    another host by which callers reach this server, such as example.com; it answers
                        for no others, also behind a trusted proxy; can be repeated
  --tls-cert PATH       serve over TLS with this certificate (PEM); needs --tls-key
  --tls-key PATH        the private key of the certificate (PEM)
  --inspector           open the inspector beside the server, for this machine only, and print a link to it
  --inspector-port N    the port of the inspector, default the one 80 after --port

For whom:
  --key NAME:HASH       callers have to show a key with this SHA-256 in X-API-Key, and are called NAME; can be
                        repeated
  --auth ISSUER         callers have to show a token of this OpenID provider
  --audience NAME       what these tokens name as their audience; can be repeated
  --allow-anonymous     allow a --host that other machines can reach, although anyone may call
  --trust-proxy ADDRESS trust the caller addresses that this proxy forwards: an address, a network
                        such as 10.0.0.0/8, or loopback; can be repeated
  --audit-log PATH      append each decision about a caller to this file, as a line of JSON
  --cors ORIGIN         let web pages of this origin call, such as https://page.example; * for all; can be
                        repeated
  --push-allow-private  also send push notifications to this machine, to private networks and over
                        plain HTTP; for development only
  --strict              serve by the letter: a request that names no version is one of 0.3, what a version
                        requires must be there, and a reader who names none gets the card of 1.0
                        (docs/strict.md)

How much:
  --max-runs N          how many tasks are worked on at the same time; default 32 for --exec, else by memory
  --max-task-size SIZE  how large a task may become, such as 64mb; default 256mb
  --max-tasks N         how many tasks a caller may have; default no limit
  --rate N              how many requests a caller may make in a second; default no limit
  --max-wait DURATION   how long callers before 1.0 that do not say whether they wait get no answer while
                        their task works, default 30s; then they get the task as it is
  --retention DURATION  delete tasks this long after they ended, such as 7d, 12h or 30m; default never
  --waiting-retention DURATION
                        fail tasks that have waited this long for their caller; default never

How it stops:
  --drain-delay DURATION
                        how long the server goes on taking calls when it stops, while /readyz answers 503, so
                        that load balancers see it; default PARLEY_DRAIN_DELAY_MS, else none
  --stop-grace SECONDS  how long running tasks may continue when the server stops, default 10, and 1 with --watch;
                        the next server with the same store continues unfinished tasks

What an operator sees (docs/observability.md):
  --metrics             serve what is counted at /metrics, for Prometheus, on port 9464 of this machine
  --metrics-port N      on another port; 0 chooses a free port
  --metrics-host ADDRESS
                        on another address; whoever reaches it reads the values
  --log-level LEVEL     leave out what is below debug, info, warn or error; silent for all; default info
  --log-format FORMAT   json or text; default text on a terminal, else json

With the environment variable PARLEY_API_KEY, callers have to show this key in the header X-API-Key.

The environment variable PARLEY_SECRET_KEYS holds the keys that encrypt stored secrets: ID:BASE64 of
32 bytes each, separated by commas. The first key encrypts; all keys decrypt.

Where a pooler in transaction mode is in front of the database, PARLEY_LISTEN_URL is the URL of the database
itself, for LISTEN. PG* variables and files such as ~/.pgpass complete a postgres:// URL.

Examples:
  parley serve ./agent.ts --watch
  parley serve --exec "python my_agent.py"
  parley serve --openai http://127.0.0.1:11434/v1 --model llama3.2
`;
