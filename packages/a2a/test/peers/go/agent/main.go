// The agent of the newest line of a2a-go, in every binding and version that it serves. It does what the first word of a
// message says. The arguments are the addresses that its cards name.
package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"net"
	"net/http"
	"os"
	"strings"

	"github.com/a2aproject/a2a-go/v2/a2a"
	"github.com/a2aproject/a2a-go/v2/a2acompat/a2av0"
	grpcv0 "github.com/a2aproject/a2a-go/v2/a2agrpc/v0"
	grpcv1 "github.com/a2aproject/a2a-go/v2/a2agrpc/v1"
	"github.com/a2aproject/a2a-go/v2/a2asrv"
	"github.com/a2aproject/a2a-go/v2/a2asrv/push"
	"github.com/a2aproject/a2a-go/v2/a2asrv/taskstore"
	"google.golang.org/grpc"
)

type actor struct{}

func described(part *a2a.Part) string {
	content := string(part.URL())
	if content == "" {
		sum := sha256.Sum256(part.Raw())
		content = hex.EncodeToString(sum[:])
	}
	return fmt.Sprintf("%s %s %s", part.Filename, part.MediaType, content)
}

func (actor) Execute(ctx context.Context, asked *a2asrv.ExecutorContext) iter.Seq2[a2a.Event, error] {
	return func(yield func(a2a.Event, error) bool) {
		text := ""
		for _, part := range asked.Message.Parts {
			text += part.Text()
		}
		word, rest, _ := strings.Cut(text, " ")
		tell := func(event a2a.Event) { yield(event, nil) }
		artifact := func(parts ...*a2a.Part) a2a.ArtifactID {
			event := a2a.NewArtifactEvent(asked, parts...)
			tell(event)
			return event.Artifact.ID
		}
		if word == "say" {
			tell(a2a.NewMessage(a2a.MessageRoleAgent, a2a.NewTextPart(rest)))
			return
		}
		if asked.StoredTask == nil {
			tell(a2a.NewSubmittedTask(asked, asked.Message))
		}
		if word == "ask" {
			question := a2a.NewMessageForTask(a2a.MessageRoleAgent, asked, a2a.NewTextPart("Which colour?"))
			tell(a2a.NewStatusUpdateEvent(asked, a2a.TaskStateInputRequired, question))
			return
		}
		tell(a2a.NewStatusUpdateEvent(asked, a2a.TaskStateWorking, nil))
		switch {
		case asked.StoredTask != nil:
			artifact(a2a.NewTextPart("You chose " + text))
		case word == "echo":
			artifact(a2a.NewTextPart("echo: " + rest))
		case word == "files":
			files, names := []*a2a.Part{}, []string{}
			for _, part := range asked.Message.Parts {
				if part.Text() == "" {
					files, names = append(files, part), append(names, described(part))
				}
			}
			artifact(append([]*a2a.Part{a2a.NewTextPart(strings.Join(names, "\n"))}, files...)...)
		case word == "hold":
			id := artifact(a2a.NewTextPart("one "))
			tell(a2a.NewArtifactUpdateEvent(asked, id, a2a.NewTextPart("two ")))
			if err := read(ctx, rest); err != nil {
				return
			}
			tell(a2a.NewArtifactUpdateEvent(asked, id, a2a.NewTextPart("three")))
		}
		tell(a2a.NewStatusUpdateEvent(asked, a2a.TaskStateCompleted, nil))
	}
}

func (actor) Cancel(_ context.Context, asked *a2asrv.ExecutorContext) iter.Seq2[a2a.Event, error] {
	return func(yield func(a2a.Event, error) bool) {
		yield(a2a.NewStatusUpdateEvent(asked, a2a.TaskStateCanceled, nil), nil)
	}
}

// read waits at a gate: it answers when the runner opens it.
func read(ctx context.Context, url string) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return err
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	return answer.Body.Close()
}

// open serves the agent on free ports of this machine. 1.0 and 0.3 have different paths over HTTP.
func open(httpURL string, grpcAddress string, sendsPush bool) map[string]string {
	inVersion := func(version a2a.ProtocolVersion, jsonRPC string, rest string) []*a2a.AgentInterface {
		return []*a2a.AgentInterface{
			{URL: httpURL + jsonRPC, ProtocolBinding: a2a.TransportProtocolJSONRPC, ProtocolVersion: version},
			{URL: httpURL + rest, ProtocolBinding: a2a.TransportProtocolHTTPJSON, ProtocolVersion: version},
			{URL: grpcAddress, ProtocolBinding: a2a.TransportProtocolGRPC, ProtocolVersion: version},
		}
	}
	card := &a2a.AgentCard{
		Name:                "Actor",
		Description:         "Does what the first word of a message says",
		Version:             "1.0.0",
		SupportedInterfaces: append(inVersion("1.0", "/rpc", "/rest"), inVersion("0.3", "/rpc-0.3", "/rest-0.3")...),
		Capabilities:        a2a.AgentCapabilities{Streaming: true, PushNotifications: sendsPush},
		DefaultInputModes:   []string{"*/*"},
		DefaultOutputModes:  []string{"*/*"},
		Skills:              []a2a.AgentSkill{{ID: "act", Name: "Act", Description: "Acts", Tags: []string{"test"}}},
	}
	// Without a user, the store lists no tasks.
	everyone := func(context.Context) (string, error) { return "everyone", nil }
	store := taskstore.NewInMemory(&taskstore.InMemoryStoreConfig{Authenticator: everyone})
	options := []a2asrv.RequestHandlerOption{a2asrv.WithCapabilityChecks(&card.Capabilities), a2asrv.WithTaskStore(store)}
	if sendsPush {
		sender := push.NewHTTPPushSender(&push.HTTPSenderConfig{AllowPrivateNetworks: true})
		options = append(options, a2asrv.WithPushNotifications(push.NewInMemoryStore(), sender))
	}
	handler := a2asrv.NewHandler(actor{}, options...)

	mux := http.NewServeMux()
	mux.Handle(a2asrv.WellKnownAgentCardPath, a2asrv.NewStaticAgentCardHandler(card))
	mux.Handle("/rpc", a2asrv.NewJSONRPCHandler(handler))
	mux.Handle("/rpc-0.3", a2av0.NewJSONRPCHandler(handler))
	mux.Handle("/rest/", http.StripPrefix("/rest", a2asrv.NewRESTHandler(handler)))
	mux.Handle("/rest-0.3/", http.StripPrefix("/rest-0.3", a2av0.NewRESTHandler(handler)))
	overHTTP := listen()
	go func() { panic(http.Serve(overHTTP, mux)) }()

	server := grpc.NewServer()
	grpcv1.NewHandler(handler).RegisterWith(server)
	grpcv0.NewHandler(handler).RegisterWith(server)
	overGRPC := listen()
	go func() { panic(server.Serve(overGRPC)) }()
	return map[string]string{"http": "http://" + overHTTP.Addr().String(), "grpc": overGRPC.Addr().String()}
}

func listen() net.Listener {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	return listener
}

func main() {
	whole, withoutPush := open(os.Args[1], os.Args[2], true), open(os.Args[3], os.Args[4], false)
	_ = json.NewEncoder(os.Stdout).Encode(map[string]any{"whole": whole, "withoutPush": withoutPush})
	// The runner has gone when its end of standard input is closed.
	_, _ = io.Copy(io.Discard, os.Stdin)
}
