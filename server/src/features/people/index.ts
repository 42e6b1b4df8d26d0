import type { Feature } from '../../kernel/feature.ts'
import { authorsOfVersions, namesOfAuthors } from '../../kernel/store/versions.ts'
import { otherDataOfPerson } from './erase.ts'
import { defineJobs } from './jobs.ts'
import { peopleMigration } from './migrations.ts'
import { routes } from './routes.ts'

export { createPeople } from './sightings.ts'

/** Lists the people seen in a workspace, and exports or erases all data of one person. */
export const people: Feature = {
  name: 'people',
  migrations: [peopleMigration],
  personalData: [authorsOfVersions, namesOfAuthors, otherDataOfPerson],
  jobs: defineJobs,
  routes,
}
