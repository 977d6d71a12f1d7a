/**
 * Serves the page with Javalin on virtual threads. {@link
 * dev.abacus.optimizer.page.http.PageServer} starts it; {@code SessionRoutes}, {@code
 * ProgramRoutes} and {@code DocumentRoutes} have the routes, {@code Pages} what they share, {@code
 * RequestGuard} the rules for requests, {@code Sessions} who may change something, and {@code
 * Changes} the control records that forms ask for.
 */
@NullMarked
package dev.abacus.optimizer.page.http;

import org.jspecify.annotations.NullMarked;
