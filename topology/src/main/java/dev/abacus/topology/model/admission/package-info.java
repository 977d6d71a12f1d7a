/**
 * Admission control: decides when a model may be called, so that documents wait for a provider and
 * do not fail because of it, and so that calls keep rate limits before an endpoint refuses them.
 *
 * <p>Reading order: {@link dev.abacus.topology.model.admission.AdmissionController} with {@link
 * dev.abacus.topology.model.admission.Caller} and {@link
 * dev.abacus.topology.model.admission.CallLimits}; {@code ModelGate}, which admits the calls of one
 * model when its {@code ModelCapacity} allows them: {@code CircuitBreaker}, which stops them while
 * the provider fails; {@code RateLimiter}, with {@code TokenBucket}, {@code LearnedRate}, {@code
 * ConcurrencyLimit} and {@code TokenEstimate}; {@code DemandShare}, which divides limits among
 * instances; {@link dev.abacus.topology.model.admission.AdmissionTimer}.
 *
 * <p>Libraries were considered. resilience4j and Failsafe reject calls of an open circuit; here
 * they wait in the order of their priority, with probes at cause-dependent intervals. Bucket4j
 * computes token buckets well, but one call takes from two or three buckets at once, waits for an
 * amount above the capacity, and obeys pauses that the endpoint requests; its arithmetic would be
 * the smallest part. Netflix's concurrency-limits adapts concurrency to latency, which does not
 * show a limit per minute.
 */
@NullMarked
package dev.abacus.topology.model.admission;

import org.jspecify.annotations.NullMarked;
