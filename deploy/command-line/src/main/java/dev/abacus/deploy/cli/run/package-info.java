/**
 * Commands that run something: {@code run}, {@code demo}, {@code up}, {@code worker}, {@code
 * optimizer} and {@code simulator}; and {@code validate}, which checks what they read.
 */
@NullMarked
package dev.abacus.deploy.cli.run;

import org.jspecify.annotations.NullMarked;
