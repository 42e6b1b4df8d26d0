import type { Context } from './context.ts'
import type { App } from './http/app.ts'
import type { DatedMigration } from './store/migrate.ts'

/** One capability of the service: its tables, its jobs and its routes. */
export interface Feature {
  name: string
  migrations?: DatedMigration[]
  /** Those of its tables that are written to all the time; what is remembered of reads may not rest on them. */
  busyTables?: string[]
  /** Declares the jobs. Runs before anything is served. */
  jobs?(ctx: Context): void
  /** Brings the data it needs into being. Runs at every start, after the migrations. */
  prepare?(ctx: Context): Promise<void>
  routes?(app: App, ctx: Context): void
  /** Finishes what runs, for as long as the patience lasts (milliseconds), and writes what must be written. */
  close?(ctx: Context, patience: number): Promise<void>
}
