import { hash } from 'node:crypto'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * Shuffles the files of each project, one project after the other: a process is reused only for the next file of the same
 * project, and starting one takes longer than most files. Vitest's own way mixes the projects.
 */
export class Shuffled extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { seed } = this.ctx.config.sequence
    const key = ({ project, moduleId }: TestSpecification) => `${project.name} ${hash('sha1', `${seed} ${moduleId}`)}`
    return files.toSorted((one, other) => (key(one) < key(other) ? -1 : 1))
  }
}
