/**
 * The settings of processes and serdes: {@link dev.abacus.schemas.setting.SettingTable} defines
 * them.
 */
@NullMarked
package dev.abacus.schemas.setting;

import org.jspecify.annotations.NullMarked;
