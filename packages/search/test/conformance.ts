import { describe } from 'vitest'
import { changeCases } from './conformance/changes.ts'
import { concurrencyCases } from './conformance/concurrency.ts'
import { filterCases } from './conformance/filters.ts'
import { rankingCases } from './conformance/ranking.ts'
import { textCases } from './conformance/texts.ts'
import { vectorCases } from './conformance/vectors.ts'
import type { NewStorage } from './fixtures.ts'

/** The behaviour that every engine must have. */
export function conformance(name: string, newStorage: NewStorage): void {
  describe(name, () => {
    describe('changes', () => changeCases(newStorage))
    describe('filters', () => filterCases(newStorage))
    describe('ranking', () => rankingCases(newStorage))
    describe('vectors', () => vectorCases(newStorage))
    describe('concurrency', () => concurrencyCases(newStorage))
    describe('texts', () => textCases(newStorage))
  })
}
