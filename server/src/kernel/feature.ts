import type { Context, FeatureState, PersonalData, Resource, Retained, ScoreSource, Toolbox } from './context.ts'
import type { DomainEvent } from './events.ts'
import type { App } from './http/app.ts'
import type { ErrorFormat } from './http/error-format.ts'
import type { DocumentedRoute } from './http/openapi/routes.ts'
import type { Sealed } from './secrets/sealed.ts'
import type { Db } from './store/database.ts'
import type { DatedMigration } from './store/migrate.ts'

/** One capability of the service. It declares its contributions; `app.ts` composes all features. */
export interface Feature {
  name: string
  migrations?: DatedMigration[]
  /** The encrypted values in its tables. */
  sealed?: Sealed[]
  /** The kinds of resources that others can reference by ID. */
  resources?: Resource[]
  /** Turns its resources into tools for agents. */
  toolboxes?: Toolbox[]
  /** Its scores of replies, as metrics of experiments. */
  scoreSources?: ScoreSource[]
  /** Its data that is deleted after RETENTION_DAYS. */
  retention?: Retained[]
  /** Its personal data, for export and erasure. */
  personalData?: PersonalData[]
  /** Receives every domain event, in the transaction that causes it: none is lost in a crash, and none is sent for a rollback. */
  events?(ctx: Context, tx: Db, event: DomainEvent): Promise<void>
  /** The error format of the routes below one of its paths, if clients expect another one than Parley's. */
  errors?: ErrorFormat
  /** Creates its in-memory state, which is then at `ctx.state[name]`. States are created in the order of the features. */
  state?(ctx: Context): FeatureState[keyof FeatureState]
  /** Adds resources to a new workspace, in the transaction that creates it. */
  workspaceCreated?(ctx: Context, tx: Db, workspace: string): Promise<void>
  /** Declares its jobs. Runs before the server listens. */
  jobs?(ctx: Context): void
  /** Creates the data it needs. Runs at every start, after the migrations. */
  prepare?(ctx: Context): Promise<void>
  routes?(app: App, ctx: Context): void
  /** Serves pages outside of `/api`. `routes` are the documented routes of all features. */
  pages?(app: App, ctx: Context, routes: readonly DocumentedRoute[]): Promise<void>
  /** Its routes are also served by nodes that only run jobs. */
  onWorkers?: boolean
  /** Its routes need the search index. */
  needsSearch?: boolean
  /** Finishes running work within `timeout` milliseconds and stores its state. */
  close?(ctx: Context, timeout: number): Promise<void>
}
