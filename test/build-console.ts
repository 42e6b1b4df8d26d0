import { buildConsole } from '../console/build.ts'

/** A service reads the files of the console when it starts, and tests share services. */
export default async function setup(): Promise<void> {
  await buildConsole()
}
