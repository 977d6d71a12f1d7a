/**
 * Limits of an endpoint: {@link dev.abacus.deploy.simulator.limit.RateLimit} with its {@link
 * dev.abacus.deploy.simulator.limit.RateLimiter} and {@link
 * dev.abacus.deploy.simulator.limit.RateLimitHeaders}, and {@link
 * dev.abacus.deploy.simulator.limit.Account}.
 */
@NullMarked
package dev.abacus.deploy.simulator.limit;

import org.jspecify.annotations.NullMarked;
