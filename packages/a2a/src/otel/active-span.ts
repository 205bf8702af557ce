import type {
  Attributes,
  AttributeValue,
  Exception,
  Link,
  Span,
  SpanContext,
  SpanStatus,
  TimeInput,
} from "@opentelemetry/api";

/**
 * The span that code finds as the active one. A handler that has waited for an answer goes on in another span than it
 * began in, and what it calls from then on has to find that one.
 */
export class ActiveSpan implements Span {
  current: Span;

  constructor(current: Span) {
    this.current = current;
  }

  spanContext(): SpanContext {
    return this.current.spanContext();
  }

  setAttribute(key: string, value: AttributeValue): this {
    this.current.setAttribute(key, value);
    return this;
  }

  setAttributes(attributes: Attributes): this {
    this.current.setAttributes(attributes);
    return this;
  }

  addEvent(name: string, attributes?: Attributes | TimeInput, time?: TimeInput): this {
    this.current.addEvent(name, attributes, time);
    return this;
  }

  addLink(link: Link): this {
    this.current.addLink(link);
    return this;
  }

  addLinks(links: Link[]): this {
    this.current.addLinks(links);
    return this;
  }

  setStatus(status: SpanStatus): this {
    this.current.setStatus(status);
    return this;
  }

  updateName(name: string): this {
    this.current.updateName(name);
    return this;
  }

  end(time?: TimeInput): void {
    this.current.end(time);
  }

  isRecording(): boolean {
    return this.current.isRecording();
  }

  recordException(exception: Exception, time?: TimeInput): void {
    this.current.recordException(exception, time);
  }
}
