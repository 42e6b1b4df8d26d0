import {
  DiagLogLevel,
  diag,
  type Context as Parent,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto'
import { resourceFromAttributes } from '@opentelemetry/resources'
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import type { Logger } from 'pino'
import type { RemoteFacts, Step, TurnObserver, TurnStatus } from '../agent/steps.ts'
import { within } from '../within.ts'
import {
  contentAttributes,
  isClient,
  remoteAttributes,
  schemaUrl,
  spanName,
  stepAttributes,
  turnAttributes,
} from './attributes.ts'
import type { SamplerName, TelemetrySettings } from './settings.ts'
import type { RequestSpan, Tracing, TurnStart } from './spans.ts'
import { formatTraceparent, parseTraceparent } from './traceparent.ts'

const maxAttributeLength = 100_000
/** A collector that does not answer must not delay the shutdown. */
const flushTimeout = 5000

/** Spans over OTLP. They are exported in the background, and dropped if too many wait. */
export function openTracing(
  settings: TelemetrySettings,
  url: string,
  resource: Record<string, string>,
  log: Logger,
): Tracing {
  const { headers, timeout, maxQueueSize, traceDelay, capturesContent } = settings
  const complain = (message: string) => log.warn(`OpenTelemetry: ${message}`)
  const quiet = () => {}
  diag.setLogger(
    { error: complain, warn: complain, info: quiet, debug: quiet, verbose: quiet },
    { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
  )
  const exporter = new OTLPTraceExporter({ url, headers, timeoutMillis: timeout })
  const batch = { maxQueueSize, maxExportBatchSize: Math.min(512, maxQueueSize), scheduledDelayMillis: traceDelay }
  const provider = new TracerProvider({
    resource: resourceFromAttributes(resource),
    sampler: createSampler(settings.sampler),
    spanLimits: { attributeValueLengthLimit: maxAttributeLength },
    spanProcessors: [new BatchSpanProcessor({ exporter, ...batch })],
  })
  const tracer = provider.getTracer('parley', resource['service.version'], { schemaUrl })
  return {
    request: (about) => requestSpan(tracer, about),
    turn: (start) => new TurnSpans(tracer, start, capturesContent),
    close: () => within(flushTimeout, provider.shutdown()),
  }
}

function createSampler({ name, ratio }: { name: SamplerName; ratio: number }): Sampler {
  const root = name.endsWith('traceidratio')
    ? new TraceIdRatioBasedSampler(ratio)
    : name.endsWith('always_on')
      ? new AlwaysOnSampler()
      : new AlwaysOffSampler()
  return name.startsWith('parentbased_') ? new ParentBasedSampler({ root }) : root
}

const asParent = (span: Span): Parent => trace.setSpan(ROOT_CONTEXT, span)
const toTraceparent = (span: Span): string => formatTraceparent(span.spanContext())

function remoteParent(traceparent: unknown): Parent {
  const context = parseTraceparent(traceparent)
  return context ? trace.setSpanContext(ROOT_CONTEXT, { ...context, isRemote: true }) : ROOT_CONTEXT
}

function requestSpan(
  tracer: Tracer,
  { method, route, path, traceparent }: Parameters<Tracing['request']>[0],
): RequestSpan {
  const attributes = { 'http.request.method': method, 'http.route': route, 'url.path': path, 'url.scheme': 'http' }
  const span = tracer.startSpan(`${method} ${route}`, { kind: SpanKind.SERVER, attributes }, remoteParent(traceparent))
  return {
    traceparent: toTraceparent(span),
    end(status) {
      span.setAttribute('http.response.status_code', status)
      if (status >= 500) {
        span.setAttribute('error.type', String(status))
        span.setStatus({ code: SpanStatusCode.ERROR })
      }
      span.end()
    },
  }
}

/** A turn as a span, with a span for each of its steps. */
class TurnSpans implements TurnObserver {
  readonly capturesContent: boolean
  readonly #tracer: Tracer
  readonly #turn: Span
  readonly #steps = new Map<Step, Span>()

  constructor(tracer: Tracer, { request, resumed }: TurnStart, capturesContent: boolean) {
    this.#tracer = tracer
    this.capturesContent = capturesContent
    // A resumed turn belongs to the trace in which it started. The request that resumed it is linked.
    const parent = resumed?.traceparent ?? request
    const approval = resumed?.traceparent ? parseTraceparent(request) : undefined
    const options = { kind: SpanKind.INTERNAL, links: approval ? [{ context: approval }] : [] }
    this.#turn = tracer.startSpan('invoke_agent', options, remoteParent(parent))
    this.#turn.setAttributes(turnAttributes({}))
  }

  describe(facts: Parameters<TurnObserver['describe']>[0]): void {
    this.#turn.setAttributes(turnAttributes(facts))
    if (facts.agentName !== undefined) this.#turn.updateName(`invoke_agent ${facts.agentName}`)
  }

  /** A wait may outlive the process, so its span is made when it ends. */
  started(step: Step, parent: Step | undefined): void {
    if (step.type !== 'approval') this.#start(step, parent)
  }

  content(step: Step, content: Parameters<TurnObserver['content']>[1]): void {
    this.#steps.get(step)?.setAttributes(contentAttributes(content))
  }

  remote(step: Step, facts: RemoteFacts): void {
    this.#steps.get(step)?.setAttributes(remoteAttributes(facts))
  }

  ended(step: Step): void {
    const span = this.#steps.get(step) ?? this.#start(step, undefined, Date.now() - (step.ms ?? 0))
    span.setAttributes(stepAttributes(step))
    if (step.failure) span.setStatus({ code: SpanStatusCode.ERROR })
    span.end()
  }

  finished(status: TurnStatus, error: string | null): void {
    this.#turn.setAttribute('parley.turn.status', status)
    if (status !== 'completed' && status !== 'awaiting_approval') {
      this.#turn.setAttribute('error.type', error ?? status)
      this.#turn.setStatus({ code: SpanStatusCode.ERROR })
    }
    this.#turn.end()
  }

  traceparent(step?: Step): string {
    return toTraceparent((step && this.#steps.get(step)) ?? this.#turn)
  }

  #start(step: Step, parent: Step | undefined, startTime?: number): Span {
    const options = {
      kind: isClient(step) ? SpanKind.CLIENT : SpanKind.INTERNAL,
      attributes: stepAttributes(step),
      ...(startTime !== undefined && { startTime }),
    }
    const whole = (parent && this.#steps.get(parent)) ?? this.#turn
    const span = this.#tracer.startSpan(spanName(step), options, asParent(whole))
    this.#steps.set(step, span)
    return span
  }
}
