/**
 * Commands that read and write desired state on a cluster: {@code apply}, {@code remove}, {@code
 * objective}, {@code budget}, {@code pause}, {@code resume}, {@code reoptimize}, {@code status},
 * {@code dlq} and {@code topics}.
 */
@NullMarked
package dev.abacus.deploy.cli.control;

import org.jspecify.annotations.NullMarked;
