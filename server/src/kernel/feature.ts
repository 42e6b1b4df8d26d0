import type { Toolbox } from './agent/tools.ts'
import type { Context, FeatureState } from './context.ts'
import type { EventSink } from './events.ts'
import type { App } from './http/app.ts'
import type { ErrorForm } from './http/error-form.ts'
import type { Retained } from './retention.ts'
import type { Db } from './store/database.ts'
import type { DatedMigration } from './store/migrate.ts'
import type { ResourceKind } from './store/references.ts'

/** One capability of the service. It declares what it contributes; `app.ts` composes all features. */
export interface Feature {
  name: string
  migrations?: DatedMigration[]
  /** The kinds of resources that others can refer to by id. */
  resources?: ResourceKind[]
  /** Turns its resources into tools for agents. */
  toolbox?: Toolbox
  /** Its data that is deleted after RETENTION_DAYS. */
  retention?: Retained[]
  /** Receives every domain event. */
  events?: EventSink
  /** The error format below one of its paths, where clients expect another than ours. */
  errors?: ErrorForm
  /** Creates its in-memory state, which is then at `ctx.state[name]`. States are created in the order of the features. */
  state?(ctx: Context): FeatureState[keyof FeatureState]
  /** Adds to a new workspace, in the transaction that creates it. */
  workspaceCreated?(ctx: Context, tx: Db, workspace: string): Promise<void>
  /** Declares the jobs. Runs before anything is served. */
  jobs?(ctx: Context): void
  /** Brings the data it needs into being. Runs at every start, after the migrations. */
  prepare?(ctx: Context): Promise<void>
  routes?(app: App, ctx: Context): void
  /** Finishes what runs, for as long as the patience lasts (milliseconds), and writes what must be written. */
  close?(ctx: Context, patience: number): Promise<void>
}
