import { describe } from 'vitest'
import type { SearchIndex } from '../src/index.ts'
import { changeCases } from './conformance/changes.ts'
import { concurrencyCases } from './conformance/concurrency.ts'
import { filterCases } from './conformance/filters.ts'
import { rankingCases } from './conformance/ranking.ts'
import { textCases } from './conformance/texts.ts'
import { vectorCases } from './conformance/vectors.ts'

/** Where an engine stores its indexes. What was stored is there again after a close and another open. */
export interface Storage {
  open(): SearchIndex | Promise<SearchIndex>
}

/** The behaviour that every engine must have. */
export function conformance(name: string, newStorage: () => Storage | Promise<Storage>): void {
  describe(name, () => {
    describe('changes', () => changeCases(newStorage))
    describe('filters', () => filterCases(newStorage))
    describe('ranking', () => rankingCases(newStorage))
    describe('vectors', () => vectorCases(newStorage))
    describe('concurrency', () => concurrencyCases(newStorage))
    describe('texts', () => textCases(newStorage))
  })
}
