/** Background work. It may run more than once, so it must be idempotent. */
export interface JobDefinition {
  queue: string
  /** The number of jobs that run in parallel in one process. */
  concurrency?: number
  /** How many jobs of one workspace may run in parallel, so that the others do not wait for it. */
  perWorkspace?: number
  /** The number of attempts before it counts as failed. */
  attempts?: number
  /** Milliseconds before the second attempt. Doubles with each attempt up to an hour, with jitter. */
  retryDelay?: number
  /** Continues where it stopped when it runs again, so that shutdown does not wait for it. */
  resumable?: boolean
  /** Repeats this many milliseconds after the last run, on one node of a cluster. */
  every?: number
  run(job: RunningJob): Promise<void>
}

export interface RunningJob {
  id: string
  workspace: string | null
  payload: unknown
  attempt: number
  /** Aborts when the job is cancelled or the process stops. */
  signal: AbortSignal
  /** Stores the progress, which can be read while the job runs. */
  progress(value: unknown): Promise<void>
}
