import type { Caller } from './caller.ts'

/** Records active people. They are written to the database in batches, outside of requests. */
export interface People {
  /** The sender of a request. */
  sent(caller: Caller): void
  /** A person who has just said their name. */
  joined(person: Pick<Caller, 'workspace' | 'userId' | 'groups' | 'role' | 'name'>): void
  /** A person on whose behalf someone else acts. */
  seen(workspace: string, userId: string | null): void
  flush(): Promise<void>
}
