// Not client/src/index.ts, which loads a megabyte of generated types.
export { Parley } from '../../client/src/parley.ts'
