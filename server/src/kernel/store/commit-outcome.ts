/** What the thread that commits says of the units it was given. */
export interface Outcome {
  /** Why each unit was not kept, null for those that were, in their order. */
  failures: (string | null)[]
}

/** Why a unit was not kept that expected something else to be there. */
export const superseded = 'superseded'
