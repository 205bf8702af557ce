// A client of the newest line of a2a-go. Takes commands as lines of JSON on standard input, and answers with lines of
// JSON on standard output: `{ready}` first, then `{id, event}` for each event of a stream, then `{id, result}` or `{id, error}`.
package main

import (
	"bufio"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"os"
	"strings"
	"sync"

	"github.com/a2aproject/a2a-go/v2/a2a"
	"github.com/a2aproject/a2a-go/v2/a2aclient"
	"github.com/a2aproject/a2a-go/v2/a2aclient/agentcard"
	"github.com/a2aproject/a2a-go/v2/a2acompat/a2av0"
	grpcv0 "github.com/a2aproject/a2a-go/v2/a2agrpc/v0"
	grpcv1 "github.com/a2aproject/a2a-go/v2/a2agrpc/v1"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
)

type object = map[string]any

type sentPart struct {
	Text      *string `json:"text"`
	Bytes     *string `json:"bytes"`
	URL       *string `json:"url"`
	MediaType string  `json:"mediaType"`
	Name      string  `json:"name"`
}

type command struct {
	ID        int        `json:"id"`
	Do        string     `json:"do"`
	Base      string     `json:"base"`
	URL       string     `json:"url"`
	Binding   string     `json:"binding"`
	Version   string     `json:"version"`
	Parts     []sentPart `json:"parts"`
	TaskID    a2a.TaskID `json:"taskId"`
	ContextID string     `json:"contextId"`
	Wait      *bool      `json:"wait"`
	Push      *struct {
		ID    string `json:"id"`
		URL   string `json:"url"`
		Token string `json:"token"`
	} `json:"push"`
	PushID string `json:"pushId"`
}

var words = map[error]string{
	a2a.ErrTaskNotFound:                 "task-not-found",
	a2a.ErrTaskNotCancelable:            "task-not-cancelable",
	a2a.ErrPushNotificationNotSupported: "push-notification-not-supported",
	a2a.ErrUnsupportedOperation:         "unsupported-operation",
	a2a.ErrInvalidParams:                "invalid-params",
}

func tellError(err error) object {
	told := object{"type": fmt.Sprintf("%T", err), "text": err.Error()}
	for known, word := range words {
		if errors.Is(err, known) {
			told["word"] = word
		}
	}
	return told
}

func tellParts(parts a2a.ContentParts) []object {
	told := []object{}
	for _, part := range parts {
		switch content := part.Content.(type) {
		case a2a.Text:
			told = append(told, object{"text": string(content)})
		case a2a.Data:
			told = append(told, object{"data": content.Value})
		case a2a.Raw:
			bytes := base64.StdEncoding.EncodeToString(content)
			told = append(told, object{"bytes": bytes, "mediaType": part.MediaType, "name": part.Filename})
		case a2a.URL:
			told = append(told, object{"url": string(content), "mediaType": part.MediaType, "name": part.Filename})
		}
	}
	return told
}

func tellStatus(status a2a.TaskStatus) (string, []object) {
	state := strings.ToLower(strings.TrimPrefix(string(status.State), "TASK_STATE_"))
	said := []object{}
	if status.Message != nil {
		said = tellParts(status.Message.Parts)
	}
	return strings.ReplaceAll(state, "_", "-"), said
}

func tellEvent(event a2a.Event) object {
	switch event := event.(type) {
	case *a2a.Task:
		state, said := tellStatus(event.Status)
		var parts a2a.ContentParts
		for _, artifact := range event.Artifacts {
			parts = append(parts, artifact.Parts...)
		}
		history := [][]object{}
		for _, message := range event.History {
			history = append(history, tellParts(message.Parts))
		}
		return object{"kind": "task", "id": event.ID, "contextId": event.ContextID, "state": state, "said": said,
			"parts": tellParts(parts), "history": history}
	case *a2a.Message:
		return object{"kind": "message", "parts": tellParts(event.Parts)}
	case *a2a.TaskStatusUpdateEvent:
		state, said := tellStatus(event.Status)
		return object{"kind": "status", "id": event.TaskID, "state": state, "said": said}
	case *a2a.TaskArtifactUpdateEvent:
		return object{"kind": "artifact", "id": event.TaskID, "parts": tellParts(event.Artifact.Parts), "append": event.Append}
	}
	return object{"kind": fmt.Sprintf("%T", event)}
}

func tellPush(config *a2a.PushConfig) object {
	return object{"id": config.ID, "url": config.URL, "token": config.Token}
}

var insecureGRPC = grpc.WithTransportCredentials(insecure.NewCredentials())

var everyTransport = []a2aclient.FactoryOption{
	grpcv1.WithGRPCTransport(insecureGRPC),
	grpcv0.WithGRPCTransport(insecureGRPC),
	a2av0.WithJSONRPCTransport(a2av0.JSONRPCTransportConfig{}),
	a2av0.WithRESTTransport(a2av0.RESTTransportConfig{}),
}

// readCard reads a card as callers of this version do.
func readCard(ctx context.Context, c command) (*a2a.AgentCard, error) {
	resolver := agentcard.NewResolver(nil)
	if c.Version != "1.0" {
		resolver.CardParser = a2av0.NewAgentCardParser()
	}
	return resolver.Resolve(ctx, c.Base)
}

var (
	clients = map[string]*a2aclient.Client{}
	lock    sync.Mutex
)

// client gives the client of an interface, as the card says except where it is.
func client(ctx context.Context, c command) (*a2aclient.Client, error) {
	lock.Lock()
	defer lock.Unlock()
	key := c.URL + c.Binding + c.Version
	if clients[key] != nil {
		return clients[key], nil
	}
	endpoint := &a2a.AgentInterface{URL: c.URL, ProtocolBinding: a2a.TransportProtocol(c.Binding), ProtocolVersion: a2a.ProtocolVersion(c.Version)}
	made, err := a2aclient.NewFromEndpoints(ctx, []*a2a.AgentInterface{endpoint}, everyTransport...)
	clients[key] = made
	return made, err
}

func request(c command) *a2a.SendMessageRequest {
	parts := []*a2a.Part{}
	for _, part := range c.Parts {
		made := &a2a.Part{MediaType: part.MediaType, Filename: part.Name}
		switch {
		case part.Text != nil:
			made.Content = a2a.Text(*part.Text)
		case part.Bytes != nil:
			bytes, _ := base64.StdEncoding.DecodeString(*part.Bytes)
			made.Content = a2a.Raw(bytes)
		default:
			made.Content = a2a.URL(*part.URL)
		}
		parts = append(parts, made)
	}
	message := a2a.NewMessage(a2a.MessageRoleUser, parts...)
	message.TaskID, message.ContextID = c.TaskID, c.ContextID
	config := &a2a.SendMessageConfig{ReturnImmediately: c.Wait != nil && !*c.Wait}
	if c.Push != nil {
		config.PushConfig = &a2a.PushConfig{ID: c.Push.ID, URL: c.Push.URL, Token: c.Push.Token}
	}
	return &a2a.SendMessageRequest{Message: message, Config: config}
}

func tellStream(id int, events iter.Seq2[a2a.Event, error]) error {
	for event, err := range events {
		if err != nil {
			return err
		}
		tell(object{"id": id, "event": tellEvent(event)})
	}
	return nil
}

func do(ctx context.Context, c command) (any, error) {
	if c.Do == "card" {
		return readAndCall(ctx, c)
	}
	client, err := client(ctx, c)
	if err != nil {
		return nil, err
	}
	switch c.Do {
	case "send":
		answer, err := client.SendMessage(ctx, request(c))
		if err != nil {
			return nil, err
		}
		return tellEvent(answer), nil
	case "stream":
		return nil, tellStream(c.ID, client.SendStreamingMessage(ctx, request(c)))
	case "subscribe":
		return nil, tellStream(c.ID, client.SubscribeToTask(ctx, &a2a.SubscribeToTaskRequest{ID: c.TaskID}))
	case "get":
		return taskOr(client.GetTask(ctx, &a2a.GetTaskRequest{ID: c.TaskID}))
	case "cancel":
		return taskOr(client.CancelTask(ctx, &a2a.CancelTaskRequest{ID: c.TaskID}))
	case "list":
		found, err := client.ListTasks(ctx, &a2a.ListTasksRequest{ContextID: c.ContextID, IncludeArtifacts: true})
		if err != nil {
			return nil, err
		}
		tasks := []object{}
		for _, task := range found.Tasks {
			tasks = append(tasks, tellEvent(task))
		}
		return object{"tasks": tasks, "total": found.TotalSize}, nil
	case "setPush":
		config := &a2a.PushConfig{TaskID: c.TaskID, ID: c.Push.ID, URL: c.Push.URL, Token: c.Push.Token}
		return pushOr(client.CreateTaskPushConfig(ctx, config))
	case "getPush":
		return pushOr(client.GetTaskPushConfig(ctx, &a2a.GetTaskPushConfigRequest{TaskID: c.TaskID, ID: c.PushID}))
	case "listPush":
		configs, err := client.ListTaskPushConfigs(ctx, &a2a.ListTaskPushConfigRequest{TaskID: c.TaskID})
		told := []object{}
		for _, config := range configs {
			told = append(told, tellPush(config))
		}
		return told, err
	case "deletePush":
		return object{}, client.DeleteTaskPushConfig(ctx, &a2a.DeleteTaskPushConfigRequest{TaskID: c.TaskID, ID: c.PushID})
	}
	return nil, fmt.Errorf("there is no command %q", c.Do)
}

// readAndCall reads the card, and calls the agent with nothing but what the card says.
func readAndCall(ctx context.Context, c command) (any, error) {
	card, err := readCard(ctx, c)
	if err != nil {
		return nil, err
	}
	interfaces := [][]string{}
	for _, one := range card.SupportedInterfaces {
		interfaces = append(interfaces, []string{string(one.ProtocolBinding), string(one.ProtocolVersion)})
	}
	preferred := a2aclient.Config{PreferredTransports: []a2a.TransportProtocol{a2a.TransportProtocol(c.Binding)}}
	client, err := a2aclient.NewFromCard(ctx, card, append(everyTransport, a2aclient.WithConfig(preferred))...)
	if err != nil {
		return nil, err
	}
	answer, err := client.SendMessage(ctx, request(c))
	if err != nil {
		return nil, err
	}
	return object{"name": card.Name, "interfaces": interfaces, "answer": tellEvent(answer)}, nil
}

func taskOr(task *a2a.Task, err error) (any, error) {
	if err != nil {
		return nil, err
	}
	return tellEvent(task), nil
}

func pushOr(config *a2a.PushConfig, err error) (any, error) {
	if err != nil {
		return nil, err
	}
	return tellPush(config), nil
}

var output sync.Mutex

func tell(line object) {
	output.Lock()
	defer output.Unlock()
	_ = json.NewEncoder(os.Stdout).Encode(line)
}

func main() {
	tell(object{"ready": true})
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<26)
	for lines.Scan() {
		var c command
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			panic(err)
		}
		go func() {
			if result, err := do(context.Background(), c); err != nil {
				tell(object{"id": c.ID, "error": tellError(err)})
			} else {
				tell(object{"id": c.ID, "result": result})
			}
		}()
	}
}
