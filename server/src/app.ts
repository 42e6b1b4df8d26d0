import { hostname } from 'node:os'
import { fileURLToPath } from 'node:url'
import { createParser, createTokenCounter, findOcr } from '@parley/documents'
import { createEmbedding } from '@parley/embedding'
import { preparationModule } from '@parley/search'
import { createTables } from '@parley/tables'
import { openAuditLog } from './features/audit/index.ts'
import { createDemo, demoVectors } from './features/demo/index.ts'
import { features as allFeatures } from './features/index.ts'
import { createPeople } from './features/people/index.ts'
import { createSessionAuthenticator } from './features/sessions/index.ts'
import { createAuthenticator, ensureOwner } from './features/tokens/index.ts'
import type { Config } from './kernel/config.ts'
import type { Caller, Context, FeatureState } from './kernel/context.ts'
import { prepareFolder } from './kernel/data-folder.ts'
import { createEgress } from './kernel/egress/egress.ts'
import { Problem } from './kernel/errors.ts'
import type { Feature } from './kernel/feature.ts'
import { openFiles } from './kernel/files/open-files.ts'
import type { App, Request } from './kernel/http/app.ts'
import { serveConsole } from './kernel/http/console.ts'
import { sealedResponses } from './kernel/http/idempotency-store.ts'
import { createMetrics } from './kernel/http/metrics.ts'
import type { DocumentedRoute } from './kernel/http/openapi/routes.ts'
import { provenMcpResource } from './kernel/http/origin.ts'
import { createRateLimit } from './kernel/http/rate-limit.ts'
import { createServer } from './kernel/http/server.ts'
import { idSource } from './kernel/ids.ts'
import { createJobs } from './kernel/jobs/jobs.ts'
import { createProviderPool, type Timeouts } from './kernel/llm/http.ts'
import { createLog, type Log, type LogOutput } from './kernel/log.ts'
import { kernelMigrations } from './kernel/migrations.ts'
import { connectRedis } from './kernel/redis.ts'
import { openSearch } from './kernel/search.ts'
import type { Sealed } from './kernel/secrets/sealed.ts'
import { createSecrets, readKey } from './kernel/secrets/secrets.ts'
import { checkDataCopy } from './kernel/store/data-copy.ts'
import { databaseClock } from './kernel/store/database-clock.ts'
import { checkKey } from './kernel/store/key-check.ts'
import type { DatedMigration } from './kernel/store/migrate.ts'
import { joinCluster, singleNode } from './kernel/store/nodes.ts'
import { createStoreThreads, openStore, type Store, type StoreThreads } from './kernel/store/open-store.ts'
import { type Release, thisRelease } from './kernel/store/release.ts'
import { redisSignals } from './kernel/store/signals.ts'
import { findWorkspace } from './kernel/store/workspaces.ts'
import { openTelemetry } from './kernel/telemetry/telemetry.ts'
import type { Clock } from './kernel/time.ts'

export interface Parley {
  app: App
  ctx: Context
  routes: DocumentedRoute[]
  /** The secret of the owner's token if this start created it. */
  ownerToken: string | null
  /** Waits up to `timeout` milliseconds for running work, then closes everything. */
  close(timeout?: number): Promise<void>
}

const consoleFiles = fileURLToPath(new URL('../../console/dist/', import.meta.url))

export const collectMigrations = (features: Feature[]): DatedMigration[] => [
  ...kernelMigrations,
  ...features.flatMap((feature) => feature.migrations ?? []),
]

export const collectSealed = (features: Feature[]): Sealed[] => [
  sealedResponses,
  ...features.flatMap((feature) => feature.sealed ?? []),
]

/** Replacements for tests. */
interface Overrides {
  now?: Clock
  random?(): number
  release?: Release
  features?: Feature[]
  providerTimeouts?: Partial<Timeouts>
  /** Milliseconds until the last byte of a body. */
  bodyTimeout?: number
  /** Receives the log instead of standard output. */
  logOutput?: LogOutput
  threads?: Threads
}

/** Threads and processes that know nothing of a service, so that the services of a test run can share them. */
export interface Threads extends Pick<Context, 'parser' | 'tokens' | 'embedding' | 'tables'> {
  store: StoreThreads
}

export const createThreads = (): Threads => ({
  parser: createParser({ findOcr, passageModule: preparationModule }),
  tokens: createTokenCounter(),
  embedding: createEmbedding({ knownVectors: demoVectors }),
  tables: createTables(),
  store: createStoreThreads(),
})

/** Creates the service. Parts are created in the order of their dependencies. */
export async function createParley(config: Config, overrides: Overrides = {}): Promise<Parley> {
  const logs = createLog(config.logLevel, overrides.logOutput)
  prepareFolder(config.dataDir)
  const { store: storeThreads, ...threads } = overrides.threads ?? createThreads()
  const store = await openStore(config, storeThreads)
  try {
    const clock = store.pool && (await databaseClock(store.pool))
    const parley = await assemble(config, store, threads, overrides.now ?? clock?.now ?? Date.now, logs, overrides)
    return {
      ...parley,
      async close(timeout) {
        clock?.close()
        await parley.close(timeout)
        logs.flush()
      },
    }
  } catch (error) {
    await store.close()
    logs.flush()
    throw error
  }
}

async function assemble(
  config: Config,
  store: Store,
  threads: Omit<Threads, 'store'>,
  now: Clock,
  logs: Log,
  overrides: Overrides,
): Promise<Parley> {
  const { log, logRequest } = logs
  const { features = allFeatures, release = thisRelease, random = Math.random } = overrides
  const { version } = release
  const secrets = createSecrets(readKey(config))
  const migrated = await store.migrate(collectMigrations(features), release)
  await checkDataCopy(store.db)
  await checkKey(store.db, secrets)

  const newId = idSource(now)
  const node = `${hostname()}-${newId('nod')}`
  const redis = config.redisUrl === null ? null : await connectRedis(config.redisUrl, log)
  const redisBus = redis && redisSignals(redis)
  const nodes = store.pool === null ? singleNode(node) : await joinCluster(store.pool, node)
  const jobs = createJobs({ db: store.db, node, nodes, now, newId, random, log, runsJobs: config.role !== 'api' })
  const metrics = createMetrics(jobs)
  const telemetry = await openTelemetry(config.telemetry, metrics, { version, node, log })
  const ctx: Context = {
    ...store,
    config,
    now,
    newId,
    random,
    log,
    logRequest,
    secrets,
    audit: await openAuditLog({ ...store, secrets, now, newId, log }, migrated),
    people: createPeople({ db: store.db, now, newId, secrets, log }),
    jobs,
    metrics,
    telemetry,
    egress: createEgress(config.egressAllow),
    files: await openFiles(config, log, now),
    ...threads,
    search: await openSearch(store, config),
    events: {
      async publish(tx, event) {
        for (const feature of features) await feature.events?.(ctx, tx, event)
      },
    },
    toolboxes: features.flatMap((feature) => feature.toolboxes ?? []),
    scoreSources: features.flatMap((feature) => feature.scoreSources ?? []),
    retention: features.flatMap((feature) => feature.retention ?? []),
    personalData: features.flatMap((feature) => feature.personalData ?? []),
    resources: new Map(features.flatMap(({ resources = [] }) => resources.map((each) => [each.prefix, each]))),
    async workspaceCreated(tx, workspace) {
      for (const feature of features) await feature.workspaceCreated?.(ctx, tx, workspace)
    },
    state: {} as FeatureState,
    providers: createProviderPool(overrides.providerTimeouts),
    startedAt: now(),
    node,
    nodes,
    signals: redisBus?.signals ?? nodes.signals,
    limiter: createRateLimit({ redis, pool: store.pool, now }),
    version,
  }
  if (ctx.search.problem !== null) log.error(ctx.search.problem)
  for (const feature of features) {
    if (feature.state) Object.assign(ctx.state, { [feature.name]: feature.state(ctx) })
  }

  const access = {
    authenticate: createAuthenticator(ctx),
    resource: (request: Request) => provenMcpResource(config, request),
    authenticateSession: createSessionAuthenticator(ctx),
    findWorkspace: (idOrName: string) => findWorkspace(ctx.db, idOrName),
    seen: (caller: Caller) => ctx.people.sent(caller),
    limiter: ctx.limiter,
    defaultLimit: config.rateLimit,
  }
  const { app, routes } = await createServer(
    ctx,
    access,
    features.flatMap((feature) => feature.errors ?? []),
    { bodyTimeout: overrides.bodyTimeout },
  )
  for (const feature of features) feature.jobs?.(ctx)
  await app.register(
    async (api) => {
      for (const feature of servedBy(config, features)) await registerRoutes(api as unknown as App, feature, ctx)
    },
    { prefix: '/api' },
  )
  if (config.role !== 'worker') {
    for (const feature of features) await feature.pages?.(app, ctx, routes)
    serveConsole(app, consoleFiles)
  }

  const { secret: ownerToken, newWorkspace } = await ensureOwner(ctx)
  for (const feature of features) await feature.prepare?.(ctx)
  await jobs.start()
  if (newWorkspace !== null && config.demo) await createDemo(ctx, newWorkspace)
  await app.ready()

  return {
    app,
    ctx,
    routes,
    ownerToken,
    async close(timeout = 30_000) {
      const deadline = Date.now() + timeout
      const timeLeft = () => Math.max(0, deadline - Date.now())
      const forceClose = setTimeout(() => app.server.closeAllConnections(), timeout)
      await Promise.all([app.close(), ...features.map((feature) => closeFeature(feature, ctx, timeLeft()))])
      clearTimeout(forceClose)
      await jobs.stop(timeLeft())
      await ctx.people.flush()
      await Promise.all([
        ctx.parser.close(),
        ctx.tokens.close(),
        ctx.embedding.close(),
        ctx.tables.close(),
        ctx.search.close(),
        ctx.egress.close(),
        ctx.providers.close(),
        ctx.files.close(),
        ctx.telemetry.close(),
      ])
      await ctx.audit.close()
      redisBus?.close()
      redis?.disconnect()
      await ctx.nodes.close()
      await store.close()
    },
  }
}

const servedBy = ({ role }: Config, features: Feature[]): Feature[] =>
  role === 'worker' ? features.filter((feature) => feature.onWorkers) : features

/** Routes that need search are refused with a reason while search is unavailable. */
async function registerRoutes(api: App, feature: Feature, ctx: Context): Promise<void> {
  const { problem } = ctx.search
  if (!feature.needsSearch || problem === null) return feature.routes?.(api, ctx)
  await api.register(async (routes) => {
    routes.addHook('preHandler', async () => {
      throw new Problem('overloaded', problem)
    })
    feature.routes?.(routes as unknown as App, ctx)
  })
}

const closeFeature = async (feature: Feature, ctx: Context, timeout: number): Promise<void> => {
  try {
    await feature.close?.(ctx, timeout)
  } catch (error) {
    ctx.log.error({ err: error, feature: feature.name }, 'could not close cleanly')
  }
}
